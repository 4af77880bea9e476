//! `--tables parquet`: the same tables, cell by cell.

use std::collections::BTreeMap;
use std::fs::File;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use super::{Home, names_in};

/// The types of the columns of a table as Parquet, by name; its cells must equal the cells of the CSV.
fn types_of(home: &Home, table: &str) -> BTreeMap<String, String> {
    let file = File::open(home.path(&format!("{table}.parquet"))).unwrap_or_else(|error| panic!("{table}: {error}"));
    let reader = SerializedFileReader::new(file).expect("Parquet");
    let mut rows = reader.get_row_iter(None).expect("rows");
    let csv = home.read(&format!("{table}.csv"));
    let mut csv = csv::Reader::from_reader(csv.as_bytes());
    let header = csv.headers().expect("a header").clone();
    for expected in csv.records() {
        let (expected, row) = (expected.expect("a row"), rows.next().expect("as many rows").expect("a row"));
        let cells: Vec<(&String, &Field)> = row.get_column_iter().collect();
        assert_eq!(cells.iter().map(|(name, _)| &***name).collect::<Vec<_>>(), header.iter().collect::<Vec<_>>());
        for ((name, cell), expected) in cells.into_iter().zip(&expected) {
            let is_same = match cell {
                Field::Null => expected.is_empty(),
                Field::Long(whole) => expected == whole.to_string(),
                Field::Double(real) => expected.parse() == Ok(*real),
                Field::Str(text) => expected == text,
                other => panic!("{other} has another type"),
            };
            assert!(is_same, "{table}, {name}: {cell} is not {expected}");
        }
    }
    assert!(rows.next().is_none(), "{table} has more rows");
    let columns = reader.metadata().file_metadata().schema_descr().columns();
    columns.iter().map(|column| (column.name().to_owned(), column.physical_type().to_string())).collect()
}

/// The tables of a directory, which must all exist as Parquet, too.
fn tables(home: &Home, directory: &str) -> Vec<String> {
    let names = names_in(&home.path(directory));
    let tables: Vec<String> = names.iter().filter_map(|name| name.strip_suffix(".csv")).map(str::to_owned).collect();
    tables.iter().for_each(|table| drop(types_of(home, &format!("{directory}/{table}"))));
    tables
}

#[test]
fn parquet_of_tournament_and_league_matches_csv() {
    let home = Home::new();
    home.output("tournament --sets 5 --seats 2 --out run --games-csv --luck --tables parquet --quiet");
    assert_eq!(tables(&home, "run"), ["distributions", "games", "luck", "pairs", "ratings", "seats", "summary"]);
    let league = "tournament --format league --agents greedy,random,mixbot,heuristic --seats 2 --sets 8 --quiet";
    home.output(&format!("{league} --tables parquet --out league"));
    assert!(tables(&home, "league").contains(&"league".to_owned()));
}

#[test]
fn balance_with_and_without_arms_prints_expected_text() {
    let home = Home::new();
    let balance = "balance --variant cars --seats 2 --sets 10 --matches 2 --agents greedy,random --quiet";
    let arms = "--card-effect victory_lap --sweep points.wild=20,50";
    home.output(&format!("{balance} {arms} --out run --tables parquet"));
    assert_eq!(tables(&home, "run"), ["metrics", "points", "sweep"]);
    // Without a sweep: no rows, and the same types.
    home.output(&format!("{balance} --out calm --tables parquet"));
    assert_eq!(types_of(&home, "calm/sweep"), types_of(&home, "run/sweep"));
    let types = types_of(&home, "calm/sweep");
    assert_eq!([&types["arm"], &types["difference"], &types["sets"]], ["BYTE_ARRAY", "DOUBLE", "INT64"]);
    assert_eq!(types_of(&home, "run/metrics")["n"], "INT64");
    // Parts have no tables; merged they have the same.
    let (message, _) = home.failure(&format!("{balance} --shard 1/2 --out half --tables parquet"), 2);
    assert!(message.contains("--tables parquet: a shard has no tables") && message.contains("merge"), "{message}");
    for part in ["1/2", "2/2"] {
        home.output(&format!("{balance} {arms} --shard {part} --out half-{}", &part[..1]));
    }
    assert_eq!(home.output("merge half-1 half-2 --out joined --tables parquet --quiet"), "");
    assert!(
        home.output("merge half-1 half-2 --out joined --tables parquet").starts_with("2 shards merged; tables in ")
    );
    let (message, _) = home.failure("merge half-1 half-2 --out joined --quiet", 2);
    assert!(message.contains("this command does not write; add --tables parquet"), "{message}");
    for table in tables(&home, "joined") {
        let bytes = |directory: &str| std::fs::read(home.path(&format!("{directory}/{table}.parquet"))).unwrap();
        assert_eq!(bytes("joined"), bytes("run"), "{table}");
    }
}

#[test]
fn sequential_test_and_simulation_print_expected_text() {
    let home = Home::new();
    home.output("sprt --agents greedy,random --nelo1 40 --luck --out run --tables parquet --quiet");
    assert_eq!(tables(&home, "run"), ["luck", "sprt"]);
    home.output("sprt --simulate 10 --nelo1 80 --out errors --tables parquet --quiet");
    assert_eq!(tables(&home, "errors"), ["sprt_errors"]);
    let (message, _) = home.failure("sprt --simulate 10 --tables parquet", 2);
    assert!(message.contains("--tables parquet") && message.contains("--out DIR"), "{message}");
}

#[test]
fn parquet_of_ratings_and_decisions_matches_csv() {
    let home = Home::new();
    home.output("match --agents heuristic,random --sets 200 --seats 2 --quiet --out run --record records");
    home.output("rate run --out ratings --tables parquet");
    assert_eq!(tables(&home, "ratings"), ["ratings"]);
    home.output("analyze records/game-0.jsonl --worlds 2 --policy random --out analysis --tables parquet");
    assert_eq!(tables(&home, "analysis"), ["decisions", "quality", "weaknesses"]);
    for command in ["rate run", "analyze records/game-0.jsonl"] {
        assert!(home.failure(&format!("{command} --tables parquet"), 2).0.contains("--out <DIR>"));
    }
}

/// The format is not part of the job: the command that finishes the run determines it. A finished run is unchanged.
#[test]
fn parquet_of_resumed_run_matches_csv() {
    let home = Home::new();
    for (run, name) in [
        ("balance --agents heuristic --seats 2 --sets 100 --matches 0 --quiet", "balance"),
        ("sprt --agents heuristic,mixbot --nelo0 -0.2 --nelo1 0.2 --quiet", "sprt"),
        ("tournament --agents random,greedy --seats 2 --sets 300 --quiet", "tournament"),
    ] {
        home.kill_on_its_way(&format!("{run} --threads 1"), name);
        home.output(&format!("{run} --out {name} --resume --tables parquet"));
        assert!(!tables(&home, name).is_empty());
        home.output(&format!("{run} --out {name} --resume --tables parquet"));
        home.output(&format!("{run} --out {name} --resume"));
        std::fs::remove_file(home.path(&format!("{name}/{}.parquet", tables(&home, name)[0]))).unwrap();
        for how in ["", "--dry-run"] {
            let (message, _) = home.failure(&format!("{run} --out {name} --resume --tables parquet {how}"), 2);
            assert!(message.contains("holds a run without --tables parquet"), "{message}");
        }
        home.output(&format!("{run} --out {name} --resume"));
    }
}
