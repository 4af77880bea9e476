//! Every scenario of the project passes.

use std::path::{Path, PathBuf};

use unolab_engine::rules::{VariantFiles, VariantText};
use unolab_engine::scenario::{Verdict, parse};

/// Variant files on disk, with paths relative to the file that names them.
struct Disk;

impl VariantFiles for Disk {
    fn read(&self, base: &str, from: &str) -> Result<VariantText, String> {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(base);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(VariantText { name: path.display().to_string(), text })
    }
}

fn scenario_files() -> Vec<PathBuf> {
    let directory = std::env::var_os("UNOLAB_SCENARIOS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios"), PathBuf::from);
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory)
        .expect("the directory is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    files.push(examples().join("variant-scenarios.toml"));
    files.sort();
    files
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

#[test]
fn every_example_variant_has_scenario() {
    let scenarios = std::fs::read_to_string(examples().join("variant-scenarios.toml")).expect("readable");
    for entry in std::fs::read_dir(examples().join("variants")).expect("the directory is there") {
        let file = entry.expect("readable").file_name().into_string().expect("a plain name");
        assert!(scenarios.contains(&format!("variant = \"variants/{file}\"")), "{file} has no scenario");
    }
}

#[test]
fn every_scenario_holds() {
    let (mut passed, mut complaints) = (0, Vec::new());
    for path in scenario_files() {
        let text = std::fs::read_to_string(&path).expect("readable");
        match parse(&path.display().to_string(), &text, &Disk) {
            Err(errors) => complaints.extend(errors.iter().map(ToString::to_string)),
            Ok(scenarios) => {
                for scenario in scenarios {
                    match scenario.run() {
                        Ok(Verdict::Passed) => passed += 1,
                        Ok(Verdict::Failed { step, expected, found }) => complaints.push(format!(
                            "{}: {}: step {step}: expected {expected}, found {found}",
                            path.display(),
                            scenario.name()
                        )),
                        Err(error) => complaints.push(error.to_string()),
                    }
                }
            }
        }
    }
    assert!(complaints.is_empty(), "{passed} passed, {} failed\n{}", complaints.len(), complaints.join("\n"));
    assert!(passed > 100, "only {passed} scenarios were found");
}

#[test]
fn impossible_position_is_reported_with_key() {
    for (beginning, reason) in [
        ("hands = [\"r1\", \"b1\"]\ndiscard = \"W\"", "color: the top card is wild"),
        ("hands = [\"r1\", \"b1\"]\ndiscard = \"r5\"\ncolor = \"blue\"", "color: the color in force cannot be blue"),
        ("hands = [\"r1\", \"\"]\ndiscard = \"r5\"", "hands: seat 1 has no card"),
        (
            "hands = [\"r1\", \"WV\"]\ndiscard = \"r5\"\nto_act = 1\nset = { \"villain_draw_four.last_card\" = \"full\" }\n\
             chance = [\"task yes\"]",
            "steps[0]: chance: something else happens by chance here than `task yes`",
        ),
    ] {
        let text = format!(
            "[[scenario]]\nname = \"x\"\nvariant = \"disney\"\nseats = 2\n{beginning}\nsteps = [{{ seat = 1, do = \"play WV\" }}]\n"
        );
        let error = match parse("file", &text, &Disk).map(|scenarios| scenarios[0].run()) {
            Err(errors) => errors[0].to_string(),
            Ok(Err(error)) => error.to_string(),
            Ok(Ok(verdict)) => format!("{verdict:?}"),
        };
        assert!(error.contains(reason), "{beginning}: {error}");
    }
}

#[test]
fn different_scores_of_partners_are_reported() {
    let scenario = |scores: &str| {
        let text = format!(
            "[[scenario]]\nname = \"x\"\nvariant = \"classic\"\nseats = 4\nset = {{ \"match.teams\" = \"fixed\" }}\nscores = {scores}\n\
             hands = [\"b1 b2\", \"r2\", \"g1 g2\", \"y1 y2\"]\ndiscard = \"r5\"\nsteps = [{{ seat = 1, do = \"play r2\" }}]\n"
        );
        parse("file", &text, &Disk).map(|scenarios| scenarios.len())
    };
    assert_eq!(scenario("[10, 20, 10, 20]").expect("equal scores"), 1);
    let errors = scenario("[10, 20, 999, 20]").expect_err("another score");
    assert!(errors[0].to_string().contains("scores: seat 0 and the partner have different scores"), "{}", errors[0]);
}
