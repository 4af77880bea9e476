//! Singular and plural in messages.

use super::Home;

/// Words after the number 1 in the same line that end like a plural.
fn false_plurals(text: &str) -> Vec<String> {
    let text = text.replace(['<', '>', '(', ')', ',', '.', ';', ':'], " ");
    let is_false = |pair: &&[&str]| pair[0] == "1" && pair[1].ends_with('s') && pair[1] != "takes";
    let in_line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.windows(2).filter(is_false).map(|pair| pair.join(" ")).collect::<Vec<_>>()
    };
    text.lines().flat_map(in_line).collect()
}

#[test]
fn single_items_are_singular() {
    let home = Home::new();
    let small = "--seats 2 --threads 1";
    let [table, league, balance, test] = [
        format!("tournament --agents greedy,random --sets 1 {small}"),
        format!("tournament --format league --agents greedy,random --sets 1 {small}"),
        format!("balance --agents greedy --sets 1 --matches 1 --sweep points.wild=40 {small}"),
        format!("sprt --agents greedy,random --nelo1 40 {small}"),
    ];
    for (run, parts) in [
        (&table, ["1 table, 2 games per set, 1 set, 2 games, about ", " on 1 thread;"]),
        (&league, ["1 tier, 4 seasons, 1 set, 2 games, about ", " on 1 thread\n"]),
        (&balance, [" games per set, 1 set, ", " on 1 thread; before them "]),
        (&test, [" on 1 thread\n", "until it is decided, on "]),
    ] {
        let text = home.output(&format!("{run} --dry-run"));
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
        let text = text + &home.output(&format!("{run} --out run")) + &home.output("verify run");
        let page = home.output("report run --out -");
        assert_eq!((false_plurals(&text), false_plurals(&page)), (vec![], vec![]), "{run}");
        std::fs::remove_dir_all(home.path("run")).unwrap();
    }
    assert_eq!(false_plurals("1 thread, 11 games, (1 sets)"), ["1 sets"]);
}

#[test]
fn report_title_names_command() {
    let home = Home::new();
    for (run, title) in [
        ("sprt --agents greedy,random --nelo1 40", "Sequential test of 2 entrants"),
        ("match --agents greedy,random --sets 2 --seats 2", "Match of 2 entrants"),
        ("tournament --agents greedy --sets 2 --seats 2", "Tournament of 1 entrant"),
    ] {
        home.output(&format!("{run} --quiet --out run"));
        assert!(home.output("report run --out -").contains(&format!("<title>{title} ")), "{run}");
        std::fs::remove_dir_all(home.path("run")).unwrap();
    }
}
