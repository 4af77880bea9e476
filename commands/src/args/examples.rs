//! The examples at the end of each help: command lines that can be typed as they are.

/// The examples of each command; the main command has an empty name.
pub(crate) const EXAMPLES: &[(&str, &[(&str, &str)])] = &[
    (
        "",
        &[
            ("unolab", "Play the default tournament: random, greedy, and heuristic"),
            (
                "unolab --agents mixbot,heuristic --seats 2-4 --sets 1e4",
                "Choose the agents, the numbers of seats, and the number of deals",
            ),
            ("unolab play", "Play against heuristic"),
            ("unolab bot new python mybot", "Write a starter bot"),
        ],
    ),
    (
        "tournament",
        &[
            (
                "unolab tournament --agents greedy,mixbot,heuristic --seats 2,4 --sets 1e4",
                "Play every combination of three agents",
            ),
            (
                "unolab tournament --agents greedy,mixbot --variant disney --report",
                "Also write an HTML page with the tables",
            ),
            ("unolab tournament --agents 'mine=cmd:\"python3 mybot.py\",heuristic' --sets 200", "Give a bot a name"),
            (
                "unolab tournament --agents greedy,mixbot,heuristic --seats 2-8 --adaptive",
                "Play each number of seats until the order of the entrants is significant",
            ),
            ("unolab tournament --agents greedy,mixbot --dry-run", "How long would it take?"),
        ],
    ),
    (
        "match",
        &[
            (
                "unolab match --agents heuristic,mixbot --sets 1e4",
                "Play one heuristic against copies of mixbot, in every seat",
            ),
            ("unolab match --agents greedy,mixbot,heuristic", "Play exactly this table of three agents"),
            (
                "unolab match --agents greedy,random --sets 20 --record games --record-only lost:greedy",
                "Record the games that greedy loses, to watch them",
            ),
            (
                "unolab match --agents heuristic,mixbot --power 1%",
                "How many sets are needed to detect a difference of one percentage point?",
            ),
            ("unolab match --agents heuristic,mixbot --sets 1e3 --json", "Print the tables as one JSON object"),
        ],
    ),
    (
        "balance",
        &[
            (
                "unolab balance --variant disney --seats 2-4 --sets 500",
                "Is the edition fair, how long is a round, and how much choice do players have?",
            ),
            ("unolab balance --sweep house.stacking=off,any_draw --sets 400 --matches 0", "What does stacking change?"),
            (
                "unolab balance --card-effect wild_draw_four --seats 4",
                "What is a Wild Draw Four worth to the player who is dealt it?",
            ),
            (
                "unolab balance --variant disney --seats 2-4 --sets 500 --report",
                "Also write an HTML page with findings and plots",
            ),
        ],
    ),
    (
        "tune",
        &[
            (
                "unolab tune --seats 4 --vary deal.hand_size=5..9 --vary turn.draw_count=one,until_playable \
                 --goal 'minutes in 8..12' --goal 'maximize skill' --seconds-per-turn 6",
                "Which rules make a round last 8 to 12 minutes and reward skill most?",
            ),
            (
                "unolab tune --variant disney --seats 4 --vary points.villain_draw_four=0..100:10 --vary deck.villain_draw_four=1..8 \
                 --goal 'match_minutes in 40..50' --seconds-per-turn 6 --budget 10m",
                "How many points should a card have, and how many copies should there be?",
            ),
            (
                "unolab tune --vary house.stacking=off,any_draw --goal 'abs(first_player_edge) < 1pp' --dry-run",
                "How many rule sets are there, and how long would it take?",
            ),
        ],
    ),
    (
        "sprt",
        &[
            (
                "unolab sprt --agents heuristic,mixbot --nelo1 10",
                "Is the first agent better? Play until the result is significant",
            ),
            (
                "unolab sprt --agents 'new=cmd:\"python3 new.py\",old=cmd:\"python3 old.py\"' --nelo1 30",
                "Is the new version of a bot better?",
            ),
        ],
    ),
    (
        "coverage",
        &[(
            "unolab coverage --agents greedy,random --seats 2 --runs 100 --sets 50",
            "Do 95% intervals contain the true value in 95 of 100 runs?",
        )],
    ),
    (
        "exploit",
        &[(
            "unolab exploit --agents greedy,heuristic --variant results/exploitability/mini.toml",
            "How much does the best response to each agent gain?",
        )],
    ),
    (
        "compare",
        &[(
            "unolab compare runs/match-0123456789abcdef runs/match-fedcba9876543210",
            "Compare two runs on the same deals, deal by deal",
        )],
    ),
    (
        "status",
        &[
            ("unolab status runs/tournament-81a8bec87c2b0e1f", "How far is the run, and what are its tables so far?"),
            ("unolab status runs/tournament-81a8bec87c2b0e1f --json", "Print the same as one JSON object"),
        ],
    ),
    ("rate", &[("unolab rate runs/tournament-81a8bec87c2b0e1f", "Rate the entrants of a finished run")]),
    ("scenario", &[("unolab scenario rules.toml", "Play positions and check the expectations")]),
    (
        "replay",
        &[
            ("unolab replay --show games/game-0.jsonl", "Print the whole game, move by move"),
            (
                "unolab replay games/game-0.jsonl --html game.html --worlds 100",
                "Write an HTML page with every decision evaluated",
            ),
        ],
    ),
    (
        "watch",
        &[
            ("unolab watch games/game-0.jsonl", "Open the game in the browser"),
            (
                "unolab watch games --worlds 100 --player greedy",
                "Where did greedy lose? List its mistakes in all games by cost",
            ),
        ],
    ),
    (
        "analyze",
        &[
            ("unolab analyze games/game-0.jsonl --show --worlds 200", "What does each choice cost, by rollouts?"),
            ("unolab analyze games --player mine", "Where does the player lose most, by the trained net?"),
        ],
    ),
    (
        "perft",
        &[
            ("unolab perft --variant classic --seats 2 --depth 2", "Count the action sequences from a deal"),
            ("unolab perft --depth 2 --divide", "Count them for each first action"),
        ],
    ),
    (
        "variants",
        &[
            ("unolab variants keys house", "List the house rules with their meaning and allowed values"),
            ("unolab variants keys --json", "Print every key as one JSON object"),
            ("unolab variants show classic --set house.stacking=any_draw", "Print the rules as a variant file"),
            ("unolab variants check mine.toml", "List the errors in a file"),
        ],
    ),
    (
        "agents",
        &[
            ("unolab agents", "List all agents"),
            ("unolab agents ismcts", "Describe one agent with its options"),
            ("unolab agents check heuristic:goal=points", "Check that this agent and its options are valid"),
        ],
    ),
    (
        "check",
        &[
            ("unolab check --agents 'cmd:\"python3 mybot.py\"'", "Check a bot in every edition"),
            (
                "unolab check --agents heuristic --variant classic --seats 2-4 --rounds 20",
                "Play more rounds of one edition",
            ),
        ],
    ),
    (
        "bot",
        &[
            ("unolab bot new python mybot", "Write mybot/bot.py, and mybot/README.md with the next steps"),
            ("unolab bot new rust mybot", "Write a crate with your own agent and every command"),
            ("unolab bot protocol", "Print the description of every message and field"),
        ],
    ),
    (
        "debug",
        &[
            (
                "unolab debug games/game-17.jsonl --seat mine -- python3 mybot.py",
                "List the decisions that the bot now answers differently",
            ),
            (
                "unolab debug games/game-17.jsonl --bot-log log -- python3 mybot.py",
                "Debug the player who lost by a fault, and log every message",
            ),
        ],
    ),
    (
        "ladder",
        &[(
            "unolab ladder --agents 'mine=cmd:\"python3 mybot.py\",greedy,heuristic'",
            "Run it after each change of the bot",
        )],
    ),
    (
        "spsa",
        &[
            (
                "unolab spsa --agent 'heuristic:keep_wild={wild}' --vary wild=0.0..30.0 --steps 100",
                "Tune one option of a built-in agent",
            ),
            (
                "unolab spsa --agent 'cmd:\"python3 mybot.py --bonus={bonus}\"' --vary bonus=0..40:2 --start bonus=10",
                "Tune an argument of a bot, which is a whole number",
            ),
        ],
    ),
    (
        "train",
        &[(
            "unolab train --seats 2 --pretrain 1e3 --rounds 1 --out mynet",
            "Train weights for the agent net, with few games",
        )],
    ),
    ("bench", &[("unolab bench --quick", "Measure quickly")]),
    ("merge", &[("unolab merge shard-1 shard-2 shard-3 --out whole", "Merge the shards of a run")]),
    ("worker", &[("unolab worker", "Play batches for a run with --remote, through a pipe or on a cluster")]),
    ("verify", &[("unolab verify results/first-player --quick", "Rerun a study with fewer sets")]),
    ("report", &[("unolab report runs/tournament-81a8bec87c2b0e1f", "Write a page about a finished run")]),
    (
        "completions",
        &[
            (
                "unolab completions bash",
                "Complete commands in bash; save the output as ~/.local/share/bash-completion/completions/unolab",
            ),
            ("unolab completions zsh", "Complete commands in zsh; save the output as _unolab in a directory of $fpath"),
        ],
    ),
    (
        "man",
        &[(
            "unolab man ~/.local/share/man/man1",
            "Write manual pages; read them with `man unolab` and `man unolab-match`",
        )],
    ),
];

/// The examples of a command, each with its purpose.
pub(crate) fn of(command: &str) -> &'static [(&'static str, &'static str)] {
    EXAMPLES.iter().find(|(name, _)| *name == command).map_or(&[], |(_, examples)| examples)
}

/// The end of a command's help.
pub(crate) fn end_of_help(command: &str) -> Option<String> {
    let lines: Vec<String> = of(command).iter().map(|(line, meaning)| format!("  {line}\n      {meaning}")).collect();
    (!lines.is_empty()).then(|| format!("Examples:\n{}", lines.join("\n")))
}
