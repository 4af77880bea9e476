//! The sequential test from the outside.

use super::{Home, names_in, rows};

#[test]
fn the_stronger_agent_is_found_and_the_weaker_refused() {
    let home = Home::new();
    let better = home.output("sprt --agents greedy,random --seats 2 --nelo1 20 --out better");
    assert!(better.contains("accepted: greedy is better"), "{better}");
    let worse = home.output("sprt --agents random,greedy --seats 4 --nelo1 20 --out worse");
    assert!(worse.contains("refused"), "{worse}");
    let looks = rows(&home.read("worse/sprt.csv"));
    let verdicts: Vec<&str> = looks.iter().map(|row| &*row["verdict"]).collect();
    assert_eq!(verdicts.last(), Some(&"accept_h0"));
    assert!(verdicts[..verdicts.len() - 1].iter().all(|&verdict| verdict == "open"));
    assert_eq!(names_in(&home.path("worse")), ["README.md", "run.json", "sprt.csv"]);
}

#[test]
fn the_same_looks_with_any_number_of_threads() {
    let csv = |threads: u32| {
        let home = Home::new();
        home.output(&format!(
            "sprt --agents mixbot,greedy --seats 3 --nelo1 30 --max-sets 400 --quiet --threads {threads} --out run"
        ));
        home.read("run/sprt.csv")
    };
    let one = csv(1);
    assert_eq!(one, csv(2));
    assert_eq!(one, csv(5));
}

/// Equal agents tie in every set: the null hypothesis is accepted without any variance.
#[test]
fn equal_agents_are_not_better() {
    let home = Home::new();
    let text = home.output("sprt --agents greedy,greedy --seats 2 --nelo1 40");
    assert!(text.contains("refused") && text.contains("win share 50.00 %"), "{text}");
}

#[test]
fn no_decision_is_a_failed_check() {
    let home = Home::new();
    let (_, text) = home.failure("sprt --agents mixbot,heuristic --seats 2 --nelo0 -1 --nelo1 1 --max-sets 100", 1);
    assert!(text.contains("undecided"), "{text}");
}

#[test]
fn wrong_input_is_refused() {
    let home = Home::new();
    for (arguments, part) in [
        ("sprt --agents greedy", "two agents, A,B, not 1"),
        ("sprt --agents a,b,c", "two agents, A,B, not 3"),
        ("sprt --agents greedy,random --nelo0 5 --nelo1 5", "--nelo1 5 must be above --nelo0 5"),
        ("sprt --agents greedy,random --alpha 0.7 --beta 0.5", "together below 1"),
        ("sprt --agents greedy,random --variant classic,disney", "one variant, not 2"),
    ] {
        let (message, _) = home.failure(arguments, 2);
        assert!(message.contains(part), "{arguments}: {message}");
    }
    assert!(home.names().is_empty());
}

#[test]
fn simulated_tests_are_counted_and_written() {
    let home = Home::new();
    let text = home.output("sprt --simulate 40 --seats 4 --nelo1 80 --out errors");
    assert!(text.contains("4 seats, normalised Elo 0 or 80"), "{text}");
    let truths = rows(&home.read("errors/sprt_errors.csv"));
    let accepted: Vec<u32> = truths.iter().map(|row| row["accept_h1"].parse().unwrap()).collect();
    assert_eq!(truths.iter().map(|row| &*row["nelo"]).collect::<Vec<_>>(), ["-40.0", "0.0", "40.0", "80.0", "120.0"]);
    assert!(accepted.is_sorted() && accepted[0] <= 3 && accepted[4] >= 37, "{accepted:?}");
    assert!(home.failure("sprt --simulate 40 --out errors", 2).0.contains("is not empty"));
}
