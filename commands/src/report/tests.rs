//! Pages of small made-up runs.

use unolab_arena::tables::curve::CurveRow;

use super::*;

const SUMMARY: &str = "entrant,agent,variant,seats,sets,games,wins,win_share,se,ci_low,ci_high\n";
const PAIRS: &str = "variant,seats,a,b,sets,games,a_wins,b_wins,share,se,ci_low,ci_high,los\n";
const RATINGS: &str = "variant,seats,entrant,method,rating,low,high,place\n";
const SEATS: &str = "variant,seats,entrant,seat,games,wins,win_share,se,points_mean\n";
const DISTRIBUTIONS: &str = "variant,seats,what,bin_low,bin_high,count\n";

fn report(files: &[(&str, &str)]) -> Result<Report, ReportError> {
    let bytes: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    Report::of(&bytes)
}

/// Two entrants of these names, as written in a CSV cell.
fn duel(a: &str, b: &str) -> Report {
    let cell = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let (a, b) = (cell(a), cell(b));
    let summary =
        format!("{SUMMARY}{a},x,classic,2,10,20,15,0.75,0.1,0.55,0.95\n{b},y,classic,2,10,20,5,0.25,0.1,0.05,0.45\n");
    let pairs = format!("{PAIRS}classic,2,{a},{b},10,20,15,5,0.75,0.1,0.55,0.95,0.99\n");
    let seats = format!(
        "{SEATS}classic,2,{a},0,10,8,0.8,0.1,1\nclassic,2,{a},1,10,7,0.7,0.1,1\nclassic,2,{b},0,10,3,0.3,0.1,1\n\
         classic,2,{b},1,10,2,0.2,0.1,1\n"
    );
    let distributions = format!("{DISTRIBUTIONS}classic,2,turns,30,30,4\nclassic,2,turns,40,40,16\n");
    let ratings =
        format!("{RATINGS}classic,2,{a},bradley-terry,95.4,35,512,1\nclassic,2,{b},bradley-terry,-95.4,-512,-35,2\n");
    let files = [
        ("summary.csv", &*summary),
        ("ratings.csv", &ratings),
        ("pairs.csv", &pairs),
        ("seats.csv", &seats),
        ("distributions.csv", &distributions),
    ];
    report(&files).unwrap()
}

#[test]
fn section_plots_are_in_page_and_files() {
    let Report { html, plots } = duel("greedy", "random");
    let names: Vec<&str> = plots.iter().map(|plot| &*plot.name).collect();
    let expected =
        ["ratings", "win-share", "pairs", "seats", "turns"].map(|name| format!("01-classic-2-seats-{name}.svg"));
    assert_eq!(names, expected);
    assert_eq!(html.matches("<svg").count(), 5);
    let answer = "greedy leads: 75.0% of the wins [55.0, 95.0], where 50.0% is fair; the next, random, has 25.0%.";
    assert!(html.find(answer).is_some_and(|at| at < html.find("<table").unwrap()), "{html}");
    for part in ["classic, 2 seats", "10 sets, 20 games, fair share 50.00%", "75.00", "[55.00, 95.00]", "+95"] {
        assert!(html.contains(part), "{part}");
    }
    let seats = &plots[3].svg;
    assert!(seats.contains("place 1: +5.00"), "the first place is worth five points of a hundred to all: {seats}");
}

#[test]
fn single_fault_of_any_kind_has_column() {
    let head = SUMMARY.trim_end();
    for counts in ["1,0,0", "0,1,0", "0,0,1"] {
        let summary = format!("{head},crashes,timeouts,illegal\nx,x,classic,2,10,20,15,0.75,0.1,0.55,0.95,{counts}\n");
        assert!(report(&[("summary.csv", &summary)]).unwrap().html.contains("timeouts"), "{counts}");
    }
    let none = format!("{head},crashes,timeouts,illegal\nx,x,classic,2,10,20,15,0.75,0.1,0.55,0.95,0,0,0\n");
    assert!(!report(&[("summary.csv", &none)]).unwrap().html.contains("timeouts"));
}

/// The snapshot has every number of the plots. Record it again after an intended change.
#[test]
fn pictures_are_drawn_as_recorded() {
    let looks = "variant,seats,a,b,sets,games,llr,lower,upper\nclassic,2,x,y,100,200,0.5,-2.94,2.94\n\
                 classic,2,x,y,200,400,1.5,-2.94,2.94\nclassic,2,x,y,300,600,3.1,-2.94,2.94\n";
    let test = report(&[("sprt.csv", looks)]).unwrap();
    let step = |stage, choices, win_share, against_field| CurveRow {
        stage,
        choices,
        win_share,
        against_field,
        ..CurveRow::default()
    };
    let steps = [step(0, 100, None, Some(0.4)), step(1, 200, Some(0.45), None), step(1, 300, Some(0.6), Some(0.55))];
    let curve = learning_curve::learning_curve(&steps).unwrap();
    let line = |seats: usize, name: &str, share: f64| {
        format!("{name},x,classic,{seats},10,100,{},{share},0.01,{},{}\n", 100.0 * share, share - 0.02, share + 0.02)
    };
    let lines = [line(2, "greedy", 0.75), line(2, "random", 0.25), line(3, "greedy", 0.5), line(3, "random", 0.25)];
    let across = report(&[("summary.csv", &(SUMMARY.to_owned() + &lines.concat()))]).unwrap();
    let balance = report(&[("metrics.csv", &metrics_of_two_sections())]).unwrap();
    let plots = [duel("greedy", "random"), test, across, balance].into_iter().flat_map(|report| report.plots);
    let without_style =
        |svg: &str| svg.split("<style>").map(|part| part.rsplit("</style>").next().unwrap_or("")).collect::<String>();
    let named: String = plots.map(|plot| format!("{}\n{}\n", plot.name, without_style(&plot.svg))).collect();
    insta::assert_snapshot!((named + "curve\n" + &without_style(&curve)).replace("><", ">\n<"));
}

/// A bound to compare with is marked, and is never the leader, with any name.
#[test]
fn unrated_entrant_does_not_lead() {
    let summary = format!(
        "{SUMMARY}x,clairvoyant:iterations=8,classic,2,10,20,15,0.75,0.1,0.55,0.95\n\
         clairvoyant,greedy,classic,2,10,20,5,0.25,0.1,0.05,0.45\n"
    );
    let Report { html, .. } = report(&[("summary.csv", &summary)]).unwrap();
    assert!(html.contains("clairvoyant leads: 25.0% of the wins [5.0, 45.0]"), "{html}");
    assert_eq!(html.matches("(not rated)").count(), 1, "{html}");
}

#[test]
fn names_of_any_kind_are_escaped() {
    let nasty = "cmd:\"<script>alert('1')</script> & </title><img src=x onerror=\u{7}\u{202e}alert(2)>\"";
    let Report { html, plots } = duel(nasty, "]]>--><b>");
    let all: String = plots.iter().map(|plot| &*plot.svg).collect::<String>() + &html;
    for tag in ["<script>alert", "</script> &", "<img", "]]>", "<b>"] {
        assert!(!all.contains(tag), "{tag}");
    }
    assert!(!all.contains(['\u{7}', '\u{202e}']), "what XML forbids, and what turns the text around it");
    assert!(html.contains("&lt;script&gt;alert('1')&lt;/script&gt; &amp; &lt;/title&gt;"), "{html}");
}

/// Every element is closed, every attribute quoted: the files are XML.
#[test]
fn plots_are_well_formed() {
    for plot in duel("greedy", "cmd:\"a & b\"").plots {
        let mut open: Vec<&str> = Vec::new();
        for tag in plot.svg.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()) {
            match tag.strip_prefix('/') {
                Some(closed) => assert_eq!(open.pop(), Some(closed), "{}", plot.name),
                None => {
                    assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
                    open.push(tag.split(' ').next().unwrap());
                }
            }
        }
        assert!(open.is_empty(), "{}: {open:?}", plot.name);
        assert!(!plot.svg.contains("NaN") && !plot.svg.contains("inf\""), "{}", plot.name);
    }
}

#[test]
fn tables_of_other_commands_are_drawn_by_column() {
    let metrics = "variant,seats,field,metric,value,se,ci_low,ci_high,n\n\
                   classic,4,greedy,turns_mean,41.25,0.5,40.2,42.3,1000\nclassic,4,greedy,void_share,,,,,1000\n";
    let ratings = "variant,seats,entrant,method,rating,low,high,place\n\
                   classic,4,greedy,plackett-luce,120.25,100,140,1\nclassic,4,random,plackett-luce,-120.25,-140,-100,2\n\
                   classic,4,greedy,nash-share,0.75,,,1\nclassic,4,random,nash-share,0.25,,,2\n";
    let Report { html, plots } = report(&[("metrics.csv", metrics), ("ratings.csv", ratings)]).unwrap();
    let parts =
        ["classic, 4 seats", "metrics.csv", "turns_mean", "41.250 ", "[40.200, 42.300]", "Ratings: plackett-luce"];
    for part in parts.into_iter().chain(["−120", "0.250"]) {
        assert!(html.contains(part), "{part}");
    }
    assert_eq!(plots.len(), 1, "of the first method");
    assert!(html.contains("nash share"), "a column of the table");
}

/// Metrics of a balance run at two and four seats: metric, value, half of the interval.
fn metrics_of_two_sections() -> String {
    let of = |seats: usize, metrics: &[(&str, f64, f64)]| {
        let row = |&(metric, value, half): &(&str, f64, f64)| {
            let (low, high) = (value - half, value + half);
            format!("disney,{seats},greedy,{metric},{value},{},{low},{high},1000\n", half / 2.0)
        };
        metrics.iter().map(row).collect::<String>()
    };
    let two = of(
        2,
        &[
            ("turns", 35.4, 0.5),
            ("decisions", 40.3, 0.6),
            ("choice_share", 0.82, 0.002),
            ("legal_actions", 3.93, 0.03),
            ("lead_changes", 3.06, 0.05),
            ("excitement", 0.123, 0.004),
            ("good_share", 0.758, 0.007),
            ("skill", 0.516, 0.013),
            ("seat_share(0)", 0.522, 0.011),
            ("seat_share(1)", 0.478, 0.011),
            ("seat_chi_squared_p", 0.001, 0.0),
        ],
    );
    let four = of(4, &[("turns", 55.0, 1.0), ("seat_share(0)", 0.26, 0.005), ("seat_share(1)", 0.24, 0.005)]);
    format!("variant,seats,field,metric,value,se,ci_low,ci_high,n\n{two}{four}")
}

#[test]
fn balance_report_states_findings_and_plots_each_question() {
    let Report { html, plots } = report(&[("metrics.csv", &metrics_of_two_sections())]).unwrap();
    let answer =
        "disney, 2 seats: The first player is favored, with 52.2% [51.1, 53.3] of the rounds, where 50.0% is fair.";
    assert!(html.find(answer).is_some_and(|at| at < html.find("<table").unwrap()), "the answer first: {html}");
    assert!(html.contains("82.0% [81.8, 82.2] of decisions have more than one legal action"), "{html}");
    let names: Vec<&str> = plots.iter().map(|plot| &*plot.name).collect();
    let of_section = ["seat-shares", "length", "choice", "excitement", "events", "skill"];
    let expected: Vec<String> = ["00-all-first-seat.svg".to_owned(), "00-all-turns.svg".to_owned()]
        .into_iter()
        .chain(of_section.map(|name| format!("01-disney-2-seats-{name}.svg")))
        .chain(["seat-shares", "length"].map(|name| format!("02-disney-4-seats-{name}.svg")))
        .collect();
    assert_eq!(names, expected);
    let svg = |name: &str| &plots.iter().find(|plot| plot.name.ends_with(name)).unwrap().svg;
    assert!(svg("2-seats-seat-shares.svg").contains("The second player: 47.80 [46.70, 48.90]"));
    assert!(svg("first-seat.svg").contains("disney, 4 seats: +1.00 [+0.50, +1.50]"), "{}", svg("first-seat.svg"));
    assert!(svg("-skill.svg").contains("dashed: luck alone"));
}

#[test]
fn win_shares_are_compared_across_sections_with_glossary() {
    let line = |seats: usize, name: &str, share: f64| {
        let (low, high) = (share - 0.02, share + 0.02);
        format!("{name},x,classic,{seats},10,100,{},{share},0.01,{low},{high}\n", 100.0 * share)
    };
    let summary = [line(2, "greedy", 0.75), line(2, "random", 0.25), line(3, "greedy", 0.5), line(3, "random", 0.25)];
    let Report { html, plots } = report(&[("summary.csv", &(SUMMARY.to_owned() + &summary.concat()))]).unwrap();
    let [across, ..] = &plots[..] else { panic!("no plots") };
    assert_eq!(across.name, "00-all-win-shares.svg");
    assert!(across.svg.contains("section 1: +25.00") && across.svg.contains("section 2: +12.50"), "{}", across.svg);
    assert!(html.contains("1 classic, 2 seats; 2 classic, 3 seats"), "{html}");
    assert!(html.contains("<abbr title=\"wins divided by games"), "{html}");
}

/// An arm that changes nothing is reported, too.
#[test]
fn equal_arms_are_described_and_drawn() {
    let sweep = "variant,seats,field,arm,metric,value,base,difference,se,ci_low,ci_high,p,p_holm,sets\n\
                 disney,2,greedy,control,turns,40,40.1,-0.1,0.2,-0.5,0.3,0.6,,100\n\
                 disney,2,greedy,house.jump_in=true,turns,40.2,40.1,0.1,0.2,-0.3,0.5,0.6,1,100\n\
                 disney,2,greedy,points=0,turns,45,40.1,4.9,0.2,4.5,5.3,0,0,100\n\
                 disney,2,greedy,dealt:W,points_net,,,2.5,0.5,1.5,3.5,0.001,0.01,100\n";
    let Report { html, plots } = report(&[("sweep.csv", sweep)]).unwrap();
    assert!(html.contains("house.jump_in=true: no metric differs from the base significantly."), "{html}");
    assert!(html.contains("points=0 compared with the base: turns per round +4.90 [+4.50, +5.30]."), "{html}");
    let [worth, turns] = &plots[..] else { panic!("{} plots", plots.len()) };
    assert!(worth.svg.contains("W: +2.50 [+1.50, +3.50]") && turns.svg.contains("house.jump_in=true: +0.10"));
}

#[test]
fn card_points_and_significant_differences_are_drawn() {
    let points = "variant,seats,field,unit,arm,statistic,value,se,ci_low,ci_high,n\n\
                  disney,2,greedy,round,base,mean,36.9,1,35,39,1000\n\
                  disney,2,greedy,round,base,share(draw_two),0.1,0.01,0.08,0.12,900\n\
                  disney,2,greedy,round,base,share(number),0.6,0.01,0.58,0.62,900\n\
                  disney,2,greedy,round,null,share(number),0.61,0.01,0.59,0.63,900\n";
    let sweep = "variant,seats,field,arm,metric,value,base,difference,se,ci_low,ci_high,p,p_holm,sets\n\
                 disney,2,greedy,control,turns,40,40.1,-0.1,0.2,-0.5,0.3,0.6,,100\n\
                 disney,2,greedy,points=0,turns,45,40.1,4.9,0.2,4.5,5.3,0,0,100\n\
                 disney,2,greedy,control,void_share,0,0,0,0,0,0,,,100\n\
                 disney,2,greedy,points=0,void_share,0,0,0,0,0,0,,1,100\n";
    let Report { plots, .. } = report(&[("points.csv", points), ("sweep.csv", sweep)]).unwrap();
    let [by_card, turns] = &plots[..] else { panic!("{} plots", plots.len()) };
    let (number, draw_two) = (by_card.svg.find("number: 60.0 [58.0, 62.0]"), by_card.svg.find("draw two: 10.0"));
    assert!(number.is_some() && number < draw_two, "the largest part first: {}", by_card.svg);
    assert!(
        turns.svg.contains("points=0: +4.90 [+4.50, +5.30]") && turns.svg.contains("control: −0.10"),
        "{}",
        turns.svg
    );
}

#[test]
fn same_files_give_same_page_without_time_or_machine() {
    let run = |seconds, threads| {
        format!(
            r#"{{"unolab":"0.1.0","spec_hash":"abc","spec":{{"command":"match","sets":1000,"seed":7,"entrants":
            [{{"name":"greedy"}},{{"name":"random"}}],"variants":[{{"name":"classic","rules":"a = 1\nb = \"<i>\""}}]}},
            "machine":{{"os":"linux","threads":{threads}}},"seconds":{seconds}}}"#
        )
    };
    let summary = format!("{SUMMARY}greedy,x,classic,2,10,20,15,0.75,0.1,0.55,0.95\n");
    let page = |run: &str| report(&[("summary.csv", &*summary), ("run.json", run)]).unwrap();
    let html = page(&run(1.5, 2)).html;
    assert_eq!(page(&run(1.5, 2)), page(&run(99.25, 7)));
    for part in ["Match of 2 entrants", "1,000", "The rules of ", "a = 1\nb = &quot;&lt;i&gt;&quot;", "abc"] {
        assert!(html.contains(part), "{part}");
    }
}

/// The rules of a run compared with the rules of the most similar edition.
#[test]
fn rules_are_described_by_differences_from_nearest_edition() {
    let summary = format!("{SUMMARY}greedy,x,mine,2,10,20,15,0.75,0.1,0.55,0.95\n");
    let page = |rules: &str| {
        let spec = serde_json::json!({ "command": "match", "variants": [{ "name": "mine", "rules": rules }] });
        let run = serde_json::json!({ "spec": spec }).to_string();
        report(&[("summary.csv", &*summary), ("run.json", &run)]).unwrap().html
    };
    let disney = unolab_engine::rules::Rules::preset("disney").to_toml();
    assert!(page(&disney).contains("differs from the edition disney in nothing."));
    let changed = disney.replace("jump_in = false", "jump_in = true");
    assert_ne!(changed, disney);
    let html = page(&changed);
    assert!(html.contains("differs from the edition disney in:"));
    assert_eq!(html.matches("<li><code>").count(), 1);
    assert!(html.contains("<li><code>house.jump_in = true (there false)</code></li>"), "{html}");
}

#[test]
fn unreadable_file_is_named() {
    let reason = |files: &[(&str, &str)]| report(files).unwrap_err().to_string();
    assert!(reason(&[("run.json", r#"{"spec": {}}"#)]).contains("summary.csv, seats.csv"));
    assert!(reason(&[("run.json", "{}"), ("pairs.csv", PAIRS)]).contains("run.json: has no spec"));
    assert!(reason(&[("games.csv", "index\n1\n")]).contains("none of the tables"));
    assert!(reason(&[("pairs.csv", PAIRS), ("run.json", "{")]).starts_with("run.json: "));
    let message = reason(&[("seats.csv", "variant,seats\nclassic,2\n")]);
    assert!(message.starts_with("seats.csv: ") && message.contains("entrant"), "{message}");
    let message = reason(&[("metrics.csv", "variant,value\nclassic\n")]);
    assert!(message.starts_with("metrics.csv: "), "{message}");
    let told = anyhow::Error::from(report(&[("seats.csv", "variant,seats\nclassic,2\n")]).unwrap_err());
    assert_eq!(format!("{told:#}").matches("entrant").count(), 1, "the reason once: {told:#}");
}

#[test]
fn undefined_numbers_draw_nothing() {
    let summary = format!("{SUMMARY}a,x,classic,2,0,0,0,NaN,,inf,\n");
    let distributions = format!("{DISTRIBUTIONS}classic,2,turns,5,1,0\n");
    let Report { html, plots } = report(&[("summary.csv", &summary), ("distributions.csv", &distributions)]).unwrap();
    assert!(plots.is_empty() && html.contains("classic, 2 seats"));
}
