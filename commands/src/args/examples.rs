//! The examples at the end of each help: command lines that can be typed as they are.

/// The examples of each command; the main command has an empty name.
pub(super) const EXAMPLES: &[(&str, &[(&str, &str)])] = &[
    (
        "",
        &[
            ("unolab", "random, greedy and heuristic against each other"),
            ("unolab --agents mixbot,heuristic --seats 2-4 --sets 1e4", "agents of your choice"),
            ("unolab play", "you against heuristic"),
            ("unolab bot new python mybot", "write a first bot of your own"),
        ],
    ),
    (
        "tournament",
        &[
            (
                "unolab tournament --agents greedy,mixbot,heuristic --seats 2,4 --sets 1e4",
                "every combination of three agents",
            ),
            ("unolab tournament --agents greedy,mixbot --variant disney --report", "with an HTML page of the tables"),
            (
                "unolab tournament --agents 'mine=cmd:\"python3 mybot.py\",heuristic' --sets 200",
                "a program with a name",
            ),
            (
                "unolab tournament --agents greedy,mixbot,heuristic --seats 2-8 --adaptive",
                "play each number of seats until the order is clear",
            ),
            ("unolab tournament --agents greedy,mixbot --dry-run", "how long it would take"),
        ],
    ),
    (
        "match",
        &[
            ("unolab match --agents heuristic,mixbot --sets 1e4", "one heuristic against mixbots, in every seat"),
            ("unolab match --agents greedy,mixbot,heuristic", "exactly this table of three"),
            (
                "unolab match --agents greedy,random --sets 20 --record games --record-only lost:greedy",
                "record lost games to watch them",
            ),
            ("unolab match --agents heuristic,mixbot --power 1%", "how many sets show an edge of one point"),
            ("unolab match --agents heuristic,mixbot --sets 1e3 --json", "the tables as one JSON object, for programs"),
        ],
    ),
    (
        "balance",
        &[
            (
                "unolab balance --variant disney --seats 2-4 --sets 500",
                "how fair it is, how long, how much choice it gives",
            ),
            ("unolab balance --sweep house.stacking=off,any_draw --sets 400 --matches 0", "the effect of a rule"),
            ("unolab balance --card-effect wild_draw_four --seats 4", "the effect of a card"),
            (
                "unolab balance --variant disney --seats 2-4 --sets 500 --report",
                "with an HTML page of findings and figures",
            ),
        ],
    ),
    (
        "sprt",
        &[
            ("unolab sprt --agents heuristic,mixbot --nelo1 10", "play until it is clear whether the first is better"),
            (
                "unolab sprt --agents 'new=cmd:\"python3 new.py\",old=cmd:\"python3 old.py\"' --nelo1 30",
                "two versions of a bot",
            ),
        ],
    ),
    (
        "coverage",
        &[(
            "unolab coverage --agents greedy,random --seats 2 --runs 100 --sets 50",
            "do 95% intervals contain the true value in 95 of 100 runs?",
        )],
    ),
    (
        "exploit",
        &[(
            "unolab exploit --agents greedy,heuristic --variant results/exploitability/mini.toml",
            "how much better than the agent itself is the best response to it?",
        )],
    ),
    (
        "compare",
        &[(
            "unolab compare runs/match-0123456789abcdef runs/match-fedcba9876543210",
            "two runs on the same deals, deal by deal",
        )],
    ),
    (
        "status",
        &[
            ("unolab status runs/tournament-81a8bec87c2b0e1f", "how far the run is, and its tables so far"),
            ("unolab status runs/tournament-81a8bec87c2b0e1f --json", "the same as one JSON object, for programs"),
        ],
    ),
    ("rate", &[("unolab rate runs/tournament-81a8bec87c2b0e1f", "ratings of a finished run")]),
    ("scenario", &[("unolab scenario rules.toml", "play a position and check the expectations")]),
    (
        "replay",
        &[
            ("unolab replay --show games/game-0.jsonl", "the whole game, move by move"),
            (
                "unolab replay games/game-0.jsonl --html game.html --worlds 100",
                "an HTML page with every decision judged",
            ),
        ],
    ),
    (
        "watch",
        &[
            ("unolab watch games/game-0.jsonl", "the game in the browser"),
            (
                "unolab watch games --worlds 100 --player greedy",
                "Where did greedy lose? Its mistakes in all games, the costliest first",
            ),
        ],
    ),
    (
        "analyze",
        &[
            ("unolab analyze games/game-0.jsonl --show --worlds 200", "the cost of each choice, by rollouts"),
            ("unolab analyze games --player mine", "where the player gives most away, by the trained net"),
        ],
    ),
    (
        "perft",
        &[
            ("unolab perft --variant classic --seats 2 --depth 2", "the number of action sequences from a deal"),
            ("unolab perft --depth 2 --divide", "the number for each first action"),
        ],
    ),
    (
        "variants",
        &[
            ("unolab variants keys house", "the house rules: meaning and allowed values"),
            ("unolab variants keys --json", "every key as one JSON object, for programs"),
            ("unolab variants show classic --set house.stacking=any_draw", "the rules as a variant file"),
            ("unolab variants check mine.toml", "list the errors in your file"),
        ],
    ),
    (
        "agents",
        &[
            ("unolab agents", "all agents"),
            ("unolab agents ismcts", "one agent with its options"),
            ("unolab agents check heuristic:goal=points", "check the text of an agent"),
        ],
    ),
    (
        "check",
        &[
            ("unolab check --agents 'cmd:\"python3 mybot.py\"'", "a program in every edition"),
            ("unolab check --agents heuristic --variant classic --seats 2-4 --rounds 20", "more rounds of one edition"),
        ],
    ),
    (
        "bot",
        &[
            ("unolab bot new python mybot", "mybot/bot.py, and mybot/README.md with the next steps"),
            ("unolab bot new rust mybot", "a crate with your own agent and every command"),
            ("unolab bot protocol", "every message to and from a program, and each of its fields"),
        ],
    ),
    (
        "debug",
        &[
            (
                "unolab debug games/game-17.jsonl --seat mine -- python3 mybot.py",
                "list the decisions with a different answer",
            ),
            ("unolab debug games/game-17.jsonl --bot-log log -- python3 mybot.py", "the player who lost by a fault"),
        ],
    ),
    (
        "ladder",
        &[(
            "unolab ladder --agents 'mine=cmd:\"python3 mybot.py\",greedy,heuristic'",
            "run it after each change of the program",
        )],
    ),
    (
        "train",
        &[(
            "unolab train --seats 2 --pretrain 1e3 --rounds 1 --out mynet",
            "train your own weights for the agent net, with few games",
        )],
    ),
    ("bench", &[("unolab bench --quick", "a quick measurement")]),
    ("merge", &[("unolab merge shard-1 shard-2 shard-3 --out whole", "merge the shards of a run")]),
    ("worker", &[("unolab worker", "play batches for a run with --remote, through a pipe or a cluster")]),
    ("verify", &[("unolab verify results/first-player --quick", "play a study again with fewer sets")]),
    ("report", &[("unolab report runs/tournament-81a8bec87c2b0e1f", "a page about a finished run")]),
    (
        "completions",
        &[
            ("unolab completions bash", "for bash; save it as ~/.local/share/bash-completion/completions/unolab"),
            ("unolab completions zsh", "for zsh; save it as _unolab in a directory of $fpath"),
        ],
    ),
    (
        "man",
        &[(
            "unolab man ~/.local/share/man/man1",
            "write manual pages; read them with `man unolab` and `man unolab-match`",
        )],
    ),
];

/// The examples of a command, each with its purpose.
pub(super) fn of(command: &str) -> &'static [(&'static str, &'static str)] {
    EXAMPLES.iter().find(|(name, _)| *name == command).map_or(&[], |(_, examples)| examples)
}

/// The end of a command's help.
pub(super) fn end_of_help(command: &str) -> Option<String> {
    let lines: Vec<String> = of(command).iter().map(|(line, meaning)| format!("  {line}\n      {meaning}")).collect();
    (!lines.is_empty()).then(|| format!("Examples:\n{}", lines.join("\n")))
}
