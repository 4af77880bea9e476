//! `unolab analyze`.

use super::{Home, names_in, rows};

#[test]
fn analysis_values_every_decision_deterministically() {
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
        assert!(output.contains("random gives away") && output.contains("By kind of decision: "), "{output}");
        assert!(output.contains("compared with net in the same positions; heuristic would give away"), "{output}");
        home.output(&format!("analyze {record} --worlds 4 --policy random --out again{number}"));
        home.refuses(
            &format!("analyze {record} --worlds 2 --player"),
            &[("rando", "--player rando: no decisions of this player; allowed: heuristic, random")],
        );
        let decisions = home.read(&format!("once{number}/decisions.csv"));
        assert_eq!(decisions, home.read(&format!("again{number}/decisions.csv")));
        let acted = home.read(&record).lines().filter(|line| line.contains("\"do\":")).count();
        let decisions = rows(&decisions);
        assert!(!decisions.is_empty() && decisions.len() <= acted, "{} of {acted}", decisions.len());
        for row in decisions {
            let (rank, actions): (usize, usize) = (row["rank"].parse().unwrap(), row["actions"].parse().unwrap());
            assert!((1..=actions).contains(&rank) && actions > 1);
            assert_eq!(row["values"].split("; ").count(), actions);
            assert_eq!(row["rank"] == "1", row["regret"] == "0.0", "{row:?}");
            // It has the same information as the recorded player, so it chooses the same action.
            assert!(row["agent"] != "heuristic" || row["heuristic"] == row["chosen"], "{row:?}");
            assert!(row["values"].contains(&format!("{} = {}", row["chosen"], row["value"])), "{row:?}");
        }
    }
}

/// `replay --show` prints the values of the page of `watch`.
#[test]
fn printed_command_shows_values_of_analysis() {
    let home = Home::new();
    home.output("match --agents random,greedy --seats 2 --sets 1 --seed 3 --quiet --out run --record games");
    let rollouts = "--worlds 5 --policy heuristic --goal points --seed 7";
    let printed = home.output(&format!("analyze games/game-0.jsonl {rollouts} --out analysis"));
    let decisions = rows(&home.read("analysis/decisions.csv"));
    let mistakes: Vec<_> = decisions.iter().filter(|row| row["rank"] != "1").collect();
    assert!(mistakes.len() > 2, "{printed}");
    let shown = home.output(&format!("replay games/game-0.jsonl --show {rollouts}"));
    for row in mistakes {
        let (agent, number) = (&row["agent"], &row["move_number"]);
        let command = format!("unolab watch games/game-0.jsonl --player {agent} --move {number} {rollouts}\n");
        assert!(printed.contains(&command) || printed.matches("unolab watch").count() == 10, "{command}{printed}");
        let (_, from) = shown.split_once(&format!("#{number} ")).expect("the move");
        // Pages have four decimals.
        let value = |column: &str| (row[column].parse::<f64>().expect("a number") * 1e4).round() / 1e4;
        let (best, chosen) = (value("best_value"), value("value"));
        let values = from.lines().nth(1).expect("a line").trim();
        assert!(values.starts_with("values: ") && values.contains(&format!(" {best:.3}")), "{values} {best}");
        assert!(values.contains(&format!("{} {chosen:.3} (regret ", row["chosen"])), "{values} {row:?}");
    }
    let by_net = home.output("analyze games/game-0.jsonl --evaluator net");
    assert!(by_net.contains("unolab watch ") && !by_net.contains("--worlds"), "{by_net}");
}

#[test]
fn rollout_choices_beat_chance() {
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
    assert!(number("noise_floor") > 0.0 && number("tie_rate") >= number("hit_rate") - 0.2, "{all:?}");
    assert!(regret("mixbot") < regret("random"), "{} {}", regret("mixbot"), regret("random"));
}

/// This requires that the net of a seat has observed the same events as the player in the seat.
#[test]
fn net_regrets_only_choices_of_other_agents() {
    let home = Home::new();
    for (number, arguments) in [
        "--seats 4",
        "--variant disney --seats 3 --unit match --set match.target=150",
        "--seats 4 --set uno.calls=explicit",
    ]
    .into_iter()
    .enumerate()
    {
        home.output(&format!(
            "match --agents net,random --sets 3 --quiet --out run{number} --record games{number} --record-sets 3 {arguments}"
        ));
        home.output(&format!("analyze games{number} --evaluator net --out judged{number}"));
        let decisions = rows(&home.read(&format!("judged{number}/decisions.csv")));
        let regrets = |agent: &str| -> Vec<f64> {
            let own = decisions.iter().filter(|row| row["agent"] == agent);
            own.map(|row| row["unbiased_regret"].parse().expect("a number")).collect()
        };
        let (net, random) = (regrets("net"), regrets("random"));
        assert!(net.len() > 30 && net.iter().all(|&regret| regret == 0.0), "{arguments}: {net:?}");
        assert!(random.iter().sum::<f64>() > 0.005 * random.len() as f64, "{arguments}: {random:?}");
        assert!(decisions.iter().all(|row| row["agent"] != "net" || row["rank"] == "1"), "{arguments}");
        assert!(decisions.iter().all(|row| row["agent"] != "net" || row["net"] == row["chosen"]), "{arguments}");
        let weaknesses = rows(&home.read(&format!("judged{number}/weaknesses.csv")));
        let cost = |agent: &str| -> f64 {
            let all = weaknesses.iter().find(|row| row["agent"] == agent && row["grouping"] == "all").unwrap();
            all["loss_per_game"].parse().unwrap()
        };
        assert!(cost("net") == 0.0 && cost("random") > 0.05, "{arguments}: {weaknesses:?}");
        // A winning probability; with the other goal, points.
        let highest = |directory: &str| -> f64 {
            let rows = rows(&home.read(&format!("{directory}/decisions.csv")));
            rows.iter().map(|row| row["best_value"].parse::<f64>().expect("a number")).fold(0.0, f64::max)
        };
        assert!((0.5..=1.0).contains(&highest(&format!("judged{number}"))), "{arguments}");
        home.output(&format!("analyze games{number} --evaluator net --goal points --out points{number}"));
        assert!(highest(&format!("points{number}")) > 10.0, "{arguments}");
    }
}

#[test]
fn position_outside_net_is_rejected() {
    let home = Home::new();
    home.output(
        "match --agents greedy,random --sets 1 --quiet --out run --record games --set match.teams=fixed --seats 4",
    );
    home.write("no.net", "weights");
    home.refuses(
        "analyze games --evaluator",
        &[
            ("net", "a net cannot evaluate a table of partners; allowed: rollouts"),
            ("unknown", "allowed: rollouts, net, or a file of weights"),
            ("no.net", "a file of weights; this one"),
            ("net --worlds 5", "--worlds: a net uses no rollouts; use it with --evaluator rollouts"),
            ("net --policy greedy", "--policy: a net uses no rollouts"),
            ("net --seed 3", "--seed: a net uses no rollouts"),
            ("net --goal match", "--goal: a net values rounds, not matches; allowed: win or points"),
        ],
    );
}

#[test]
fn broken_record_or_blocked_directory_is_rejected() {
    let home = Home::new();
    home.write("broken.jsonl", "{}\n");
    let (message, _) = home.failure("analyze broken.jsonl", 2);
    assert!(message.contains("broken.jsonl") && message.contains("line 1"), "{message}");
    std::fs::create_dir(home.path("full")).unwrap();
    home.write("full/file", "");
    let (message, _) = home.failure("analyze broken.jsonl --out full", 2);
    assert!(message.contains("--out full: is not empty"), "{message}");
    let (message, _) = home.failure("analyze broken.jsonl --policy chess", 2);
    assert!(message.contains("allowed: random, greedy, card-ranking, mixbot, heuristic or net"), "{message}");
}
