//! `unolab analyze`.

use super::{Home, names_in, rows};

#[test]
fn every_choice_of_a_record_is_valued_and_the_same_seed_values_the_same() {
    let home = Home::new();
    for (number, arguments) in [
        "--seats 3",
        "--variant disney --seats 2 --unit match --set match.target=100",
        "--seats 4 --set match.teams=fixed --unit match --set match.target=100",
    ]
    .into_iter()
    .enumerate()
    {
        home.output(&format!(
            "match --agents heuristic,random --sets 1 --quiet --out run{number} --record records{number} {arguments}"
        ));
        let record = format!("records{number}/game-0.jsonl");
        let output = home.output(&format!("analyze {record} --worlds 4 --policy random --out once{number}"));
        assert!(output.contains("ODHR@K") && output.contains("heuristic") && output.contains("random"), "{output}");
        home.output(&format!("analyze {record} --worlds 4 --policy random --out again{number}"));
        let decisions = home.read(&format!("once{number}/decisions.csv"));
        assert_eq!(decisions, home.read(&format!("again{number}/decisions.csv")));
        let acted = home.read(&record).lines().filter(|line| line.contains("\"do\":")).count();
        let decisions = rows(&decisions);
        assert!(!decisions.is_empty() && decisions.len() <= acted, "{} of {acted}", decisions.len());
        for row in decisions {
            let (rank, actions): (usize, usize) = (row["rank"].parse().unwrap(), row["actions"].parse().unwrap());
            assert!((1..=actions).contains(&rank) && actions > 1);
            assert_eq!(row["values"].split("; ").count(), actions);
            assert!(row["values"].contains(&format!("{} = {}", row["chosen"], row["value"])), "{row:?}");
        }
    }
}

#[test]
fn who_chooses_by_rollouts_chooses_better_than_chance() {
    let home = Home::new();
    home.output("match --agents mixbot,random --seats 2 --sets 12 --quiet --out run --record records --record-sets 12");
    let records: Vec<String> = names_in(&home.path("records")).iter().map(|name| format!("records/{name}")).collect();
    assert_eq!(records.len(), 24);
    home.output(&format!("analyze {} --worlds 60 --out analysis", records.join(" ")));
    let quality = rows(&home.read("analysis/quality.csv"));
    let regret = |agent: &str| -> f64 {
        let all = quality.iter().find(|row| row["agent"] == agent && row["actions"].is_empty()).unwrap();
        all["mean_regret"].parse().unwrap()
    };
    let all = quality.iter().find(|row| row["agent"] == "random" && row["actions"].is_empty()).unwrap();
    let number = |column: &str| all[column].parse::<f64>().unwrap();
    assert_eq!(&*all["deals"], "12");
    assert!(number("ci_low") < number("mean_regret") && number("mean_regret") < number("ci_high"), "{all:?}");
    assert!(number("noise_floor") > 0.0 && number("level_rate") >= number("hit_rate") - 0.2, "{all:?}");
    assert!(regret("mixbot") < regret("random"), "{} {}", regret("mixbot"), regret("random"));
}

#[test]
fn a_broken_record_or_a_folder_in_the_way_is_refused() {
    let home = Home::new();
    home.write("broken.jsonl", "{}\n");
    let (message, _) = home.failure("analyze broken.jsonl", 2);
    assert!(message.contains("broken.jsonl") && message.contains("line 1"), "{message}");
    std::fs::create_dir(home.path("full")).unwrap();
    home.write("full/file", "");
    let (message, _) = home.failure("analyze broken.jsonl --out full", 2);
    assert!(message.contains("--out full: is not empty"), "{message}");
    let (message, _) = home.failure("analyze broken.jsonl --policy chess", 2);
    assert!(message.contains("allowed: random, greedy, card-ranking, mixbot or heuristic"), "{message}");
}
