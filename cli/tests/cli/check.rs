//! `unolab check`: good agents pass; faulty ones fail and are named.

use super::Home;

#[test]
fn good_agents_pass_check_everywhere() {
    let home = Home::new();
    let output = home.output("check --agents mixbot,random --rounds 2");
    assert_eq!(output.matches("passed").count(), 2);
    for (variant, seats, rounds) in [("classic", "2-10", "18"), ("handheld", "2-4", "6"), ("disney", "2-10", "18")] {
        let line =
            output.lines().find(|line| line.starts_with(variant)).unwrap_or_else(|| panic!("{variant}: {output}"));
        let cells: Vec<&str> = line.split_whitespace().collect();
        assert_eq!((cells[1], cells[2], &cells[4..9]), (seats, rounds, &["0"; 5][..]), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn check_of_program_with_memory_fails() {
    let home = Home::new();
    // The choice depends on the number of decisions of the process, not on the game.
    home.write(
        "remembers",
        r#"
while read -r line; do
    case $line in
        *'"type":"hello"'*) echo '{"protocol":1}';;
        *'"type":"decide"'*) n=${line#*'"decision":'}; n=${n%%,*}
            case $line in *'"actions":["'*'","'*'],"observation"'*) k=$((n / 20 % 2));; *) k=0;; esac
            echo "{\"decision\":$n,\"action\":$k}";;
    esac
done
"#,
    );
    let mut command = home.unolab("check --variant classic --seats 2 --rounds 6 --agents");
    let output = command.arg("cmd:sh remembers").assert().code(1).get_output().clone();
    let [message, output] = [output.stderr, output.stdout].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.contains("not repeated: classic, 2 seats, round ") && output.contains("failed"), "{output}");
    assert!(message.contains("faults"), "{message}");
}

#[cfg(unix)]
#[test]
fn crash_timeout_and_illegal_answer_are_distinguished() {
    let home = Home::new();
    let script = |what: &str| {
        format!(
            "while read -r line; do case $line in *'\"type\":\"hello\"'*) echo '{{\"protocol\":1}}';; \
             *'\"type\":\"decide\"'*) n=${{line#*'\"decision\":'}}; n=${{n%%,*}}; {what};; esac; done\n"
        )
    };
    for (name, what, column) in [
        ("crashes", "exit 3", 4),
        ("sleeps", "exec sleep 100", 5),
        ("lies", "echo \"{\\\"decision\\\":$n,\\\"action\\\":99}\"", 6),
    ] {
        home.write(name, &script(what));
        let mut command = home.unolab("check --variant classic --seats 2 --rounds 1 --agents");
        let output =
            command.arg(format!("{name}=cmd:\"sh {name}\",decision_ms=300")).assert().code(1).get_output().clone();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.starts_with(&format!("{name}\n")), "{text}");
        let cells: Vec<&str> =
            text.lines().find(|line| line.starts_with("classic")).unwrap().split_whitespace().collect();
        let counts: Vec<bool> = cells[4..9].iter().map(|count| *count != "0").collect();
        assert_eq!(counts, [4, 5, 6, 7, 8].map(|other| other == column), "{text}");
    }
}
