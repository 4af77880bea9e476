"""Compares the Python environments of unolab, RLCard, OpenSpiel, and PettingZoo, and prints a Markdown table.

    python benches/peers/from_python.py [--repeats N] [--seconds S] [--out FILE]

Needs unolab (pip install ./python) and benches/peers/requirements.txt. Everything runs in one process on one core, one
measurement after the other; the whole series is repeated. Rates are decisions per second of that core's processor time. All
players choose uniformly among the legal actions, and every loop works like a learner's loop: it reads the legal actions, chooses
one, and steps. Takes about two minutes.
"""

import argparse
import importlib.metadata
import os
import pathlib
import platform
import random
import statistics
import sys
import time
import warnings

import numpy as np

SEED = 1
SEATS = 2


def vec_env(num_envs, outputs="all"):
    """Writes the observation, mask, and packed ids of every environment in every step, or only the ids. Rust chooses the action."""
    import unolab

    env = unolab.VecEnv("classic", SEATS, num_envs, SEED, outputs=outputs)
    env.reset()
    while True:
        env.step(env.sample())
        yield num_envs


def vec_env_numpy(num_envs):
    """The same loop, but NumPy chooses among the packed ids."""
    import unolab

    env = unolab.VecEnv("classic", SEATS, num_envs, SEED)
    rng, rows = np.random.default_rng(SEED), np.arange(num_envs)
    _, info = env.reset()
    while True:
        chosen = (rng.random(num_envs) * info["num_legal"]).astype(np.int16)
        *_, info = env.step(info["legal"][rows, chosen])
        yield num_envs


def round_loop(with_tensor):
    """One round at a time, with calls like those for an OpenSpiel game."""
    import unolab

    seed, choose = SEED, random.choice
    while True:
        played = unolab.Round("classic", SEATS, seed, voluntary_draw=False)
        seed += 1
        while not played.is_terminal:
            if with_tensor:
                played.tensor(played.current_seat)
            played.apply(choose(played.legal_actions()))
        yield played.decisions


def rlcard_loop(env):
    """RLCard's loop: `reset` and `step`, which both return the state."""
    choose = random.choice
    while True:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            state, _ = env.step(choose(list(state["legal_actions"])))
            decisions += 1
        yield decisions


def rlcard():
    import rlcard

    return rlcard_loop(rlcard.make("uno", config={"seed": SEED}))


def unolab_as_rlcard():
    import unolab

    return rlcard_loop(unolab.rlcard.make("classic", seats=SEATS))


def openspiel_loop(game, with_tensor):
    """OpenSpiel's loop in Python: chance nodes, legal actions, and optionally the observation."""
    choose = random.choice
    while True:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes())
                state.apply_action(random.choices(actions, weights)[0])
                continue
            if with_tensor:
                state.observation_tensor(state.current_player())
            state.apply_action(choose(state.legal_actions()))
            decisions += 1
        yield decisions


def openspiel(with_tensor):
    import pyspiel

    return openspiel_loop(pyspiel.load_game("crazy_eights", {"players": SEATS}), with_tensor)


def pettingzoo_loop(env):
    """PettingZoo's loop: `agent_iter`, `last`, and an action from the mask."""
    seed, choose = SEED, random.choice
    while True:
        env.reset(seed=seed)
        seed += 1
        decisions = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(int(choose(np.flatnonzero(observation["action_mask"]))))
            decisions += 1
        yield decisions


def pettingzoo():
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from pettingzoo.classic import leduc_holdem_v4

    return pettingzoo_loop(leduc_holdem_v4.env())


def unolab_as_pettingzoo():
    import unolab

    return pettingzoo_loop(unolab.pettingzoo.env(variant="classic", seats=SEATS, voluntary_draw=False))


def unolab_as_gymnasium():
    """Gymnasium's loop: `reset` and `step`. Only the learner's decisions count; the opponent plays in Rust."""
    import gymnasium
    import unolab  # noqa: F401  # registers the environments

    env, choose = gymnasium.make("unolab/Classic-v0", opponents=["random"]), random.choice
    _, info = env.reset(seed=SEED)
    while True:
        decisions, is_over = 0, False
        while not is_over:
            _, _, terminated, truncated, info = env.step(int(choose(np.flatnonzero(info["action_mask"]))))
            is_over = terminated or truncated
            decisions += 1
        _, info = env.reset()
        yield decisions


ROWS = [
    ("unolab", "VecEnv, 1,024 environments", "observation, mask, ids", lambda: vec_env(1024)),
    ("unolab", "VecEnv, 1,024 environments, ids alone", "ids", lambda: vec_env(1024, "ids")),
    ("unolab", "VecEnv, 1,024, NumPy chooses", "observation, mask, ids", lambda: vec_env_numpy(1024)),
    ("unolab", "VecEnv, 1 environment", "observation, mask, ids", lambda: vec_env(1)),
    ("unolab", "Round", "legal actions", lambda: round_loop(False)),
    ("unolab", "Round, with observations", "observation, legal actions", lambda: round_loop(True)),
    ("unolab", "as an RLCard environment", "observation, legal actions", unolab_as_rlcard),
    ("unolab", "as a PettingZoo environment", "observation, mask", unolab_as_pettingzoo),
    ("unolab", "as a Gymnasium environment, against random", "observation, mask", unolab_as_gymnasium),
    ("RLCard", "uno", "observation, legal actions", rlcard),
    ("OpenSpiel", "crazy_eights, with observations", "observation, legal actions", lambda: openspiel(True)),
    ("OpenSpiel", "crazy_eights", "legal actions", lambda: openspiel(False)),
    ("PettingZoo", "leduc_holdem_v4", "observation, mask", pettingzoo),
]
AGAINST = [("RLCard", "uno"), ("OpenSpiel", "crazy_eights, with observations"), ("PettingZoo", "leduc_holdem_v4")]

NOTES = """
Uniform play of two players; a decision is one action of a player.

- **unolab** plays the classic game with bluffs and challenges. As in RLCard's rules, drawing is not offered if a card can be played. \
`VecEnv` writes an observation of {obs_size} bytes, a mask of {num_actions} actions, and the packed ids for every environment in \
every step; with `outputs="ids"` it writes only the packed ids. `Round` and the environments of the other libraries play one game at a time. \
The row of Gymnasium counts only the learner's decisions.
- **RLCard**'s UNO has no challenges and no points. Its state has planes of {rlcard_planes} and a dictionary. It has two players.
- **OpenSpiel** has no UNO. Its closest game is crazy_eights, with a standard deck. The game is in C++ and the loop in Python, as in \
OpenSpiel's Python algorithms; `peers.sh` measures loops in C++.
- **PettingZoo** has no UNO. leduc_holdem_v4 is one of its card games: RLCard's game in a wrapper, and much smaller. The result \
therefore measures the interface more than the game.
"""


def measure(games, seconds):
    """Decisions per second of processor time."""
    decisions, begin = 0, time.process_time()
    while True:
        decisions += next(games)
        spent = time.process_time() - begin
        if spent >= seconds:
            return decisions / spent


def report(rates, repeats):
    """The table."""
    import unolab

    median = {key: statistics.median(found) for key, found in rates.items()}
    lines = [
        "| library | environment | gives | decisions/s | ± | " + " | ".join(f"{engine} {what}" for engine, what in AGAINST) + " |",
        "|---|---|---|--:|--:|" + "--:|" * len(AGAINST),
    ]
    for engine, what, gives, _ in ROWS:
        rate, found = median[engine, what], rates[engine, what]
        spread = (max(found) - min(found)) / 2 / rate
        times = [f"{rate / median[key]:,.1f} ×" if engine == "unolab" else "" for key in AGAINST]
        lines.append(f"| {engine} | {what} | {gives} | {rate:,.0f} | {spread:.0%} | " + " | ".join(times) + " |")
    names = ("rlcard", "open_spiel", "pettingzoo", "numpy")
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in names)
    env = unolab.VecEnv("classic", SEATS, 1, SEED)
    import rlcard as theirs

    shape = theirs.make("uno").state_shape[0]
    lines += ["", f"One core, rates per second of its time; {versions}, Python {platform.python_version()}. Medians of {repeats}."]
    notes = NOTES.format(obs_size=env.obs_size, num_actions=env.num_actions, rlcard_planes=" × ".join(map(str, shape)))
    return "\n".join(lines) + "\n" + notes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5, help="measurements of each row (default 5)")
    parser.add_argument("--seconds", type=float, default=2.0, help="processor time of each (default 2)")
    parser.add_argument("--out", type=pathlib.Path, help="write the table to this file as well")
    args = parser.parse_args()
    if args.repeats < 1 or not args.seconds > 0:
        parser.error("--repeats and --seconds must be positive")
    warnings.simplefilter("ignore")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    random.seed(SEED)
    games = {(engine, what): make() for engine, what, _, make in ROWS}
    for played in games.values():
        next(played)  # warm
    rates = {key: [] for key in games}
    for repeat in range(args.repeats):
        for key, played in games.items():
            rates[key].append(measure(played, args.seconds))
        print(f"repeat {repeat + 1} of {args.repeats}", file=sys.stderr)
    text = report(rates, args.repeats)
    print(text, end="")
    if args.out:
        args.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
