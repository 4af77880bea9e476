//! `--record` and `unolab replay`.

use super::{Home, names_in, rows};

#[test]
fn games_that_were_written_down_fit_and_are_those_of_the_run() {
    for arguments in [
        "--seats 2,5",
        "--variant cars --seats 3 --unit match",
        "--unit match --seats 5 --set match.scoring=elimination",
        "--unit match --set match.teams=fixed --set uno.calls=explicit",
        "--seats 4 --set match.teams=fixed",
        "--unit match --set match.teams=rotating --set match.scoring=running_lowest",
        "--unit match --set match.teams=rotating_tables --agents greedy,random",
    ] {
        let home = Home::new();
        home.output(&format!("tournament --sets 1 --quiet --out run --games-csv --record records {arguments}"));
        let games = rows(&home.read("run/games.csv"));
        let names = names_in(&home.path("records"));
        assert_eq!(names.len(), games.len().min(100), "{arguments}");
        for name in names {
            let index: usize = name.strip_prefix("game-").unwrap().strip_suffix(".jsonl").unwrap().parse().unwrap();
            let output = home.output(&format!("replay records/{name}"));
            let game = &games[index];
            let expected = format!(
                "records/{name}: fits, rounds {}, points {}, places {},",
                game["rounds"], game["points"], game["places"]
            );
            assert!(output.starts_with(&expected), "{arguments}: {output}, expected {expected}");
        }
    }
}

#[test]
fn a_record_that_was_changed_is_refused_at_its_line() {
    let home = Home::new();
    home.output("match --agents random,greedy --seats 2 --sets 1 --quiet --out run --record records");
    let record = home.read("records/game-0.jsonl");
    let (head, _) = record.split_at(record.rfind("{\"ended\"").unwrap());
    home.write("short.jsonl", head);
    let (message, output) = home.failure("replay short.jsonl records/game-1.jsonl", 2);
    let line = head.lines().count() + 1;
    assert!(message.contains(&format!("short.jsonl: line {line}: ")), "{message}");
    assert!(output.contains("records/game-1.jsonl: fits"), "{output}");
}

#[test]
fn a_record_can_be_read_by_people() {
    let home = Home::new();
    home.output("match --agents random,greedy --seats 2 --sets 1 --quiet --out run --record records");
    let shown = home.output("replay --show records/game-0.jsonl");
    assert!(shown.contains("seat 1 plays ") && shown.contains(" is turned up"), "{shown}");
}
