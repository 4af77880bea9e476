//! Any bad input: exit status 2, and a message with the error, its place, and the allowed values.

use super::Home;

/// Arguments, and the required parts of the message.
const WRONG: &[(&str, &[&str])] = &[
    ("tournament --agents stranger", &["stranger", "agents: random, first-legal, greedy"]),
    ("tournament --agents random:color=red", &["unknown option `color`", "copies"]),
    (
        "tournament --agents forgetful:agent=(((((((((greedy)))))))))",
        &["nested too deeply; allowed: 8 within each other"],
    ),
    ("tournament --agents random:copies=maybe", &["copies=maybe", "true or false"]),
    ("tournament --agents greedy,,random", &["missing before or after a comma"]),
    ("tournament --variant klassik", &["klassik", "classic, wimpy-kid"]),
    ("tournament --variant classic,classic", &["`classic` twice"]),
    ("tournament --set uno.penalty=many", &["--set uno.penalty", "many", "0 to 10"]),
    ("tournament --set uno.penalti=2", &["--set uno.penalti", "uno.penalty"]),
    ("tournament --set penalty", &["key=value"]),
    ("balance --sweep house.stacking=off,off --sets 2 --matches 0", &["--sweep house.stacking=off: is given twice"]),
    ("balance --sweep deck.wild=2,4 --sweep deck.wild=3 --sets 2 --matches 0", &["--sweep deck.wild: is given twice"]),
    (
        "tournament --format league --agents x=clairvoyant,greedy,random --sets 2",
        &["--agents: x has no rating, by which a league moves its entrants"],
    ),
    ("coverage --agents greedy --out new/directory", &["--agents"]),
    ("analyze file --out new/directory", &["file: line 1"]),
    ("ladder --directory full --agents greedy,random", &["--directory full: holds ", "and no versions.csv"]),
    ("report odd", &["odd: run.json: has no spec, so it is not the run.json of a run"]),
    ("tournament --set match.teams=fixed --seats 3", &["match.teams", "4 seats"]),
    ("tournament --set match.teams=rotating_tables", &["--unit match"]),
    ("tournament --set match.scoring=elimination --set match.teams=fixed --seats 4", &["elimination"]),
    ("tournament --seats 11", &["11", "2 to 10"]),
    ("tournament --seats 1", &["1 is not allowed", "2 to 10"]),
    ("tournament --seats 4,2,4", &["--seats", "4 twice"]),
    ("tournament --variant handheld --seats 5", &["5 seats are not allowed", "2 to 4"]),
    ("tournament --sets 0", &["0 is not allowed; allowed: 1 to"]),
    ("tournament --sets -3", &["-3"]),
    ("tournament --sets 99999999999999999999999", &["99999999999999999999999"]),
    ("tournament --sets 999999999999 --seats 10", &["999999999999 sets make more than"]),
    ("tournament --games 999999999999999", &["999999999999999"]),
    ("tournament --threads 0", &["0 is not allowed; allowed: 1 to 1024"]),
    ("tournament --threads 100000", &["100000"]),
    ("tournament --seed many", &["many"]),
    ("tournament --unit hour", &["hour", "round, match"]),
    ("tournament --seating circle", &["circle", "rotate, all, neighbor"]),
    ("tournament --format gauntlet --agents random", &["at least two agents"]),
    ("tournament --seating all --seats 10 --agents a1,a2", &["a1"]),
    ("tournament --games-csv=0", &["--games-csv", "0"]),
    ("tournament --out /dev/null/run --sets 1", &["--out", "/dev/null"]),
    ("tournament --out file --sets 1", &["--out file", "is a file"]),
    ("tournament --record full --sets 1", &["--record full", "not empty"]),
    ("tournament --record file/x --sets 1", &["--record file/x"]),
    ("tournament --shard 0/3", &["0/3", "i/n"]),
    ("tournament --shard 4/3", &["4/3", "i/n"]),
    ("tournament --out - --report", &["--out -", "--report needs a directory"]),
    ("tournament --out - --tables parquet", &["--out -", "--tables parquet needs a directory"]),
    ("tournament --out - --shard 1/2", &["--out -", "need a directory"]),
    ("tournament --out - --dry-run --report", &["--out -", "--report needs a directory"]),
    ("tournament --shard 1/2 --report", &["--report: a shard has no tables yet", "not --report to --shard 1/2"]),
    ("balance --shard 1/2 --report", &["--report: a shard has no tables yet", "unolab report"]),
    ("balance --shard 1/2 --plot turns", &["--plot turns: a shard has no tables yet", "--shard 1/2"]),
    ("agents check a=random,a=greedy", &["--agents: two entrants are called `a`; give each its own name"]),
    ("tournament --power 0.01 --report", &["--power", "cannot be used with", "--report"]),
    ("tournament --power 0.7", &["--power 0.7", "below 0.5"]),
    ("match", &["--agents"]),
    ("match --agents random", &["at least two agents"]),
    ("match --agents random,greedy,heuristic --seats 4", &["exactly 3 seats", "4"]),
    ("match --agents random,greedy,heuristic --set match.teams=fixed --seats 4", &["match.teams", "names 3"]),
    ("scenario", &["FILE"]),
    ("scenario full", &["full"]),
    ("variants show nothing", &["nothing", "classic"]),
    ("variants check binary", &["binary", "UTF-8"]),
    ("replay nothing", &["nothing", "file not found", "as --record writes them"]),
    ("replay file", &["file", "line 1"]),
    ("replay binary", &["binary", "UTF-8"]),
    ("perft --seats 12", &["12"]),
    ("perft --depth 9999999999", &["9999999999"]),
    ("perft --depth 3 --limit 1", &["--depth", "--limit", "more than 1 "]),
    ("perft --variant nothing", &["nothing"]),
    ("perft --position file", &["file"]),
    ("bench --variant nothing", &["nothing"]),
    ("merge", &["DIR"]),
    ("merge full", &["full/shard.json"]),
    ("verify nothing", &["nothing"]),
    ("verify full", &["full: holds no study.toml"]),
    ("check", &["--agents"]),
    ("check --agents stranger", &["stranger", "agents: random, first-legal, greedy"]),
    ("check --agents random --variant nothing", &["nothing", "classic, wimpy-kid"]),
    ("check --agents random --variant handheld --seats 5", &["5 seats are not allowed", "2 to 4"]),
    ("check --agents random --seats 8 --set match.teams=rotating_tables", &["rotating_tables"]),
    ("dance", &["dance"]),
];

#[test]
fn invalid_input_is_rejected_with_reason() {
    let home = Home::new();
    home.write("file", "precious");
    std::fs::write(home.path("binary"), [0xff, 0xfe, 0x00]).unwrap();
    std::fs::create_dir(home.path("full")).unwrap();
    home.write("full/file", "precious");
    std::fs::create_dir(home.path("odd")).unwrap();
    home.write("odd/run.json", "{}");
    for (arguments, parts) in WRONG {
        let (message, output) = home.failure(arguments, 2);
        assert!(output.is_empty() || output == "0 passed, 0 failed\n", "{arguments} printed {output}");
        assert!(!message.contains("panicked"), "{arguments}: {message}");
        for part in *parts {
            assert!(message.contains(part), "{arguments}: {part:?} is missing in: {message}");
        }
    }
    assert_eq!(home.names(), ["binary", "file", "full", "odd"], "and nothing was left behind");
    assert_eq!((home.read("file"), home.read("full/file")), ("precious".into(), "precious".into()));
}

/// Terminal control characters are shown as a mark, in errors and in the output.
#[test]
fn control_characters_are_escaped() {
    let home = Home::new();
    let printed = |arguments: &[&str]| {
        let output = home.unolab("").args(arguments).output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    let said = printed(&["agents", "check", "gre\u{1b}[31medy"]);
    assert!(said.contains("gre<U+001B>[31medy") && !said.contains('\u{1b}'), "{said:?}");
    let said = printed(&["match", "--agents", "greedy,random", "--sets", "1", "--out", "a\u{1b}[31mb\nc"]);
    assert!(said.contains("tables in a<U+001B>[31mb c\n") && !said.contains('\u{1b}'), "{said:?}");
    // Names in files from another user.
    home.output("match --agents evil=greedy,random --seats 2 --sets 9 --games-csv --quiet --out run");
    home.output(
        "match --agents evil=greedy,random --seats 2 --sets 9 --games-csv --quiet --out other --set points.wild=40",
    );
    for directory in ["run", "other"] {
        for (file, name) in [
            ("run.json", "ev\\u001bil"),
            ("summary.csv", "ev\u{1b}il"),
            ("pairs.csv", "ev\u{1b}il"),
            ("games.csv", "ev\u{1b}il"),
        ] {
            let path = format!("{directory}/{file}");
            home.write(&path, &home.read(&path).replace("evil", name));
        }
        // The author of such files can correct the hashes, too.
        home.forget_digests(directory);
        let (message, _) = home.failure(&format!("rate {directory}"), 2);
        let run = format!("{directory}/run.json");
        let written: serde_json::Value = serde_json::from_str(&home.read(&run)).unwrap();
        let fitting = message.trim_end().rsplit(' ').next().expect("the hash of the spec");
        home.write(&run, &home.read(&run).replace(written["spec_hash"].as_str().unwrap(), fitting));
    }
    for output in [printed(&["rate", "run"]), printed(&["compare", "run", "other"])] {
        assert!(output.contains("ev<U+001B>il") && !output.contains('\u{1b}'), "{output:?}");
    }
}

/// The inner agent of `forgetful` may follow the colon directly; with options it is `agent=(...)`.
#[test]
fn forgetful_agent_name_follows_agent_syntax() {
    let home = Home::new();
    assert_eq!(home.output("agents check forgetful:mixbot,p=0.5"), "forgetful:mixbot,p=0.5: good\n");
    home.refuses(
        "agents check",
        &[
            ("forgetful:stranger", "agent=stranger: unknown agent"),
            ("forgetful:clairvoyant", "sees only what its seat sees"),
            ("forgetful:cmd:nothing", "did you mean `agent=(cmd:nothing)`?"),
            ("forgetful:agent=cmd:/no/such/program", "agent=cmd:/no/such/program: "),
            ("forgetful:mixbot,agent=greedy", "`mixbot` is not of the form option=value"),
        ],
    );
}

#[test]
#[cfg(unix)]
fn broken_link_is_rejected_with_reason() {
    let home = Home::new();
    for (link, target, reason) in
        [("link", "nowhere", "its target does not exist"), ("loop", "loop", "Too many levels of symbolic links")]
    {
        std::os::unix::fs::symlink(target, home.path(link)).unwrap();
        for flag in ["--out", "--record"] {
            let (message, _) = home.failure(&format!("match --agents greedy,random --sets 1 {flag} {link}"), 2);
            let expected = format!("{flag} {link}: is a symbolic link that cannot be followed ({reason}); remove it");
            assert!(message.contains(&expected), "{message}");
        }
    }
}

#[test]
fn unwritable_directory_is_rejected_before_play() {
    let home = Home::new();
    // No --sets: a million games would be played first.
    let (message, _) = home.failure("tournament --out /proc/unolab/run", 2);
    assert!(message.contains("--out") && message.contains("/proc"), "{message}");
}
