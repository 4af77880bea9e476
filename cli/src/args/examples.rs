//! What each command is used for, as command lines that can be typed as they are: they stand at the end of its help.

/// The examples of each command; those of the main command have no name.
pub(super) const EXAMPLES: &[(&str, &[(&str, &str)])] = &[
    (
        "",
        &[
            ("unolab", "random, greedy and heuristic against each other: the main job"),
            ("unolab --agents mixbot,heuristic --seats 2-4 --sets 1e4", "agents of your choice"),
            ("unolab play", "you against heuristic"),
            ("unolab bot new python mybot", "a program of your own that plays"),
        ],
    ),
    (
        "tournament",
        &[
            ("unolab tournament --agents greedy,mixbot,heuristic --seats 2,4 --sets 1e4", "everybody meets everybody"),
            ("unolab tournament --agents greedy,mixbot --variant disney --report", "with a page to look at"),
            (
                "unolab tournament --agents 'mine=cmd:\"python3 mybot.py\",heuristic' --sets 200",
                "a program under a name",
            ),
            (
                "unolab tournament --agents greedy,mixbot,heuristic --seats 2-8 --allocate",
                "as many games as the order takes",
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
                "games to look at",
            ),
            ("unolab match --agents heuristic,mixbot --power 1%", "how many sets show an edge of one point"),
            ("unolab match --agents heuristic,mixbot --sets 1e3 --json", "the tables as one JSON object, for programs"),
        ],
    ),
    (
        "balance",
        &[
            ("unolab balance --variant disney --seats 2-4 --sets 500", "is it fair, how long, how much choice"),
            ("unolab balance --sweep house.stacking=off,any_draw --sets 400 --matches 0", "what a rule changes"),
            ("unolab balance --worth wild_draw_four --seats 4", "what a card is worth"),
            (
                "unolab balance --variant disney --seats 2-4 --sets 500 --report",
                "with a page in sentences and pictures",
            ),
        ],
    ),
    (
        "sprt",
        &[
            ("unolab sprt --agents heuristic,mixbot --nelo1 10", "until it is clear whether the first is better"),
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
            "do intervals of 95 % hold the truth in 95 of 100 runs?",
        )],
    ),
    (
        "compare",
        &[(
            "unolab compare runs/match-0123456789abcdef runs/match-fedcba9876543210",
            "two runs on the same deals, deal by deal",
        )],
    ),
    ("rate", &[("unolab rate runs/tournament-81a8bec87c2b0e1f", "ratings of a finished run")]),
    ("scenario", &[("unolab scenario rules.toml", "play a position and check what must hold")]),
    (
        "replay",
        &[
            ("unolab replay --show games/game-0.jsonl", "the whole game, move by move"),
            ("unolab replay games/game-0.jsonl --html game.html --worlds 100", "a page with every decision judged"),
        ],
    ),
    ("watch", &[("unolab watch games/game-0.jsonl", "the game in the browser")]),
    ("analyze", &[("unolab analyze games/game-0.jsonl --worlds 200", "what each choice cost")]),
    (
        "perft",
        &[
            ("unolab perft --variant classic --seats 2 --depth 3", "the ways on from a deal"),
            ("unolab perft --depth 2 --divide", "by first action"),
        ],
    ),
    (
        "variants",
        &[
            ("unolab variants keys house", "the house rules: meaning and allowed values"),
            ("unolab variants keys --json", "every key as one JSON object, for programs"),
            ("unolab variants show classic --set house.stacking=any_draw", "rules as a file to begin with"),
            ("unolab variants check mine.toml", "what is wrong with a file of your own"),
        ],
    ),
    (
        "agents",
        &[
            ("unolab agents", "who can play"),
            ("unolab agents ismcts", "one of them, with its options"),
            ("unolab agents check heuristic:goal=points", "is this text good?"),
        ],
    ),
    (
        "check",
        &[
            ("unolab check --agents 'cmd:\"python3 mybot.py\"'", "a program in every edition"),
            ("unolab check --agents heuristic --variant classic --seats 2-4 --rounds 20", "more rounds of one"),
        ],
    ),
    (
        "bot",
        &[
            ("unolab bot new python mybot", "mybot/bot.py, and mybot/README.md that says how to try it"),
            ("unolab bot new rust mybot", "a crate with an agent of its own and every command"),
        ],
    ),
    (
        "debug",
        &[
            ("unolab debug games/game-17.jsonl --seat mine -- python3 mybot.py", "where does it answer otherwise now?"),
            ("unolab debug games/game-17.jsonl --bot-log log -- python3 mybot.py", "the player who lost by a fault"),
        ],
    ),
    (
        "ladder",
        &[(
            "unolab ladder --agents 'mine=cmd:\"python3 mybot.py\",greedy,heuristic'",
            "after each change of the program",
        )],
    ),
    (
        "train",
        &[(
            "unolab train --seats 2 --imitate 1e3 --rounds 1 --out mynet",
            "weights of your own for the agent net, a small try",
        )],
    ),
    ("bench", &[("unolab bench --quick", "a first look")]),
    ("merge", &[("unolab merge part-1 part-2 part-3 --out whole", "the parts of a sharded run")]),
    ("worker", &[("unolab worker", "plays what a run with --remote asks for; a cluster or a pipe is between them")]),
    ("verify", &[("unolab verify results/first-player --reduced", "play a study again, with fewer sets")]),
    ("report", &[("unolab report runs/tournament-81a8bec87c2b0e1f", "a page about a finished run")]),
    (
        "completions",
        &[
            ("unolab completions bash", "for bash; put it into ~/.local/share/bash-completion/completions/unolab"),
            ("unolab completions zsh", "for zsh; put it into a folder of $fpath, as _unolab"),
        ],
    ),
    ("man", &[("unolab man ~/.local/share/man/man1", "man pages: then `man unolab` and `man unolab-match`")]),
];

/// The end of a command's help.
pub(super) fn of(command: &str) -> Option<String> {
    let (_, examples) = EXAMPLES.iter().find(|(name, _)| *name == command)?;
    let lines = examples.iter().map(|(line, meaning)| format!("  {line}\n      {meaning}"));
    Some(format!("Examples:\n{}", lines.collect::<Vec<_>>().join("\n")))
}
