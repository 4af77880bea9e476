"""Trains an agent with PPO: one file, without a GPU, in minutes.

    pip install ./python jax matplotlib
    python python/examples/ppo.py --minutes 10 --out trained

Half of the file is the algorithm (Schulman et al. 2017, with generalized advantages and a mask over the actions). The other
half is the code around it: a learning curve on separate test deals, the network as a player in `unolab.match`, and a file that
records the rules used for training. Two design choices keep training short: positions that differ only in the names of colors
are treated as one, and decisions with only one legal action are not used for learning.

The output directory contains `policy.npz` (the weights), `curve.csv`, and `curve.svg`. To evaluate a trained network:

    import unolab
    from ppo import Net
    print(unolab.tournament([Net.load("trained/policy.npz"), "greedy", "heuristic"], seats=[2]))
"""

from __future__ import annotations

import argparse
import csv
import itertools
import os
import time
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # with small matrices, several threads are slower

import jax
import jax.numpy as jnp
import numpy as np

import unolab

ENVS, STEPS = 512, 64  # each update collects ENVS * STEPS decisions
LEARNED = 12_288  # the number of them used for learning: more than half have only one legal action
EPOCHS, MINIBATCHES = 3, 8
HIDDEN = 128
RATE = 1e-3  # decreases to a tenth by the end
CLIP, GAE, ENTROPY = 0.2, 0.95, 0.01
TEST_SETS, LAST_SETS = 1_000, 10_000  # each deal is played from both seats


# ---- colors: positions that differ only in the names of colors are treated as one

class Colors:
    """Renames colors: the current color comes first, then the others by the number of cards in hand."""

    def __init__(self, env: unolab.VecEnv) -> None:
        spec, self.letters = env.spec, "rygb"
        self.part = {block["name"]: slice(block["offset"], block["offset"] + block["len"]) for block in spec["blocks"]}
        cards, actions = spec["cards"], env.action_names
        kinds = len(cards)
        self.has_color = np.array([[card[0] == letter for letter in self.letters] for card in cards], np.float32)
        orders = list(itertools.permutations(range(4)))
        self.number = np.zeros((4, 4, 4), np.int64)  # the number of an order, by its first three colors
        self.columns = np.tile(np.arange(env.obs_size), (len(orders), 1))
        self.actions = np.zeros((len(orders), env.num_actions), np.int64)
        for number, order in enumerate(orders):
            self.number[order[:3]] = number
            names = {self.letters[new]: self.letters[old] for new, old in enumerate(order)}

            def was(text: str, known: list[str], verbs: int, names: dict[str, str] = names) -> int:
                words = text.split()
                renamed = " ".join(words[:verbs] + [names.get(word[0], word[0]) + word[1:] for word in words[verbs:]])
                return known.index(renamed if renamed in known else text)  # some cards exist in only one color

            card_was = np.array([was(card, cards, 0) for card in cards])
            columns = self.columns[number]
            for name in ("hand", "discard", "known", "top", "card"):
                for begin in range(self.part[name].start, self.part[name].stop, kinds):
                    columns[begin : begin + kinds] = begin + card_was
            for name in ("color", "decision_color"):
                begin = self.part[name].start
                columns[begin : begin + 4] = begin + np.array(order)
            self.actions[number] = [was(text, actions, 1) for text in actions]

    def rename(self, obs: Any, mask: Any) -> tuple[Any, Any, Any]:
        """Observations and masks with renamed colors, and for each row the original id of every action."""
        weight = obs[:, self.part["hand"]] @ self.has_color + 1000.0 * obs[:, self.part["color"]][:, :4]
        order = np.argsort(-weight, axis=1, kind="stable")
        number = self.number[order[:, 0], order[:, 1], order[:, 2]]
        old = self.actions[number]
        return np.take_along_axis(obs, self.columns[number], 1), np.take_along_axis(mask, old, 1), old


# ---- the network: two hidden layers; logits of the actions, and the value

def begin(key: Any, inputs: int, actions: int) -> list[tuple[Any, Any]]:
    """The initial weights of each layer. The outputs of the last layer are the logits and the value."""
    sizes = [inputs, HIDDEN, HIDDEN, actions + 1]
    gains = [1.0, 1.0, 0.1]
    keys = jax.random.split(key, 3)
    shapes = zip(keys, sizes, sizes[1:], gains)
    return [(gain * jax.random.normal(k, (a, b)) * (2 / a) ** 0.5, jnp.zeros(b)) for k, a, b, gain in shapes]


def forward(np_: Any, params: Any, obs: Any, mask: Any) -> tuple[Any, Any]:
    """Logits (very low for illegal actions) and values; `np_` is NumPy or `jax.numpy`."""
    x = np_.log1p(obs.astype(np_.float32))  # the observations are counts, and some are large
    for weights, bias in params[:-1]:
        x = np_.maximum(x @ weights + bias, 0)
    out = x @ params[-1][0] + params[-1][1]
    return np_.where(mask > 0, out[:, :-1], -1e9), out[:, -1]


@jax.jit
def act(params: Any, key: Any, obs: Any, mask: Any) -> tuple[Any, Any, Any]:
    """Samples an action; returns it with its log-probability and the value."""
    logits, value = forward(jnp, params, obs, mask)
    action = jax.random.categorical(key, logits)
    return action, jnp.take_along_axis(jax.nn.log_softmax(logits), action[:, None], 1)[:, 0], value


# ---- PPO

def loss(params: Any, batch: dict[str, Any]) -> Any:
    """The loss of a minibatch: the clipped objective, the value error, and the entropy bonus."""
    logits, value = forward(jnp, params, batch["obs"], batch["mask"])
    logs = jax.nn.log_softmax(logits)
    log = jnp.take_along_axis(logs, batch["action"][:, None], 1)[:, 0]
    ratio = jnp.exp(log - batch["log"])
    gain = batch["advantage"]
    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
    objective = jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gain).mean()
    entropy = -(jnp.exp(logs) * jnp.where(batch["mask"] > 0, logs, 0)).sum(1).mean()
    return -objective + 0.5 * ((value - batch["return"]) ** 2).mean() - ENTROPY * entropy


def adam(params: Any, slopes: Any, state: Any, rate: Any) -> tuple[Any, Any]:
    """One step of Adam, with gradients clipped to a norm of 0.5."""
    step, mean, square = state
    length = jnp.sqrt(sum((slope**2).sum() for slope in jax.tree.leaves(slopes)))
    slopes = jax.tree.map(lambda slope: slope * jnp.minimum(1, 0.5 / (length + 1e-9)), slopes)
    step = step + 1
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, slopes)
    square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, square, slopes)
    scale = rate * jnp.sqrt(1 - 0.999**step) / (1 - 0.9**step)
    params = jax.tree.map(lambda p, m, s: p - scale * m / (jnp.sqrt(s) + 1e-8), params, mean, square)
    return params, (step, mean, square)


@partial(jax.jit, donate_argnums=(0, 1))
def learn(params: Any, state: Any, batch: dict[str, Any], rate: Any, key: Any) -> tuple[Any, Any]:
    """Several passes over the collected decisions, in minibatches."""
    size = len(batch["action"])

    def one(carry: Any, rows: Any) -> tuple[Any, None]:
        params, state = carry
        slopes = jax.grad(loss)(params, {name: array[rows] for name, array in batch.items()})
        return adam(params, slopes, state, rate), None

    orders = [jax.random.permutation(k, size) for k in jax.random.split(key, EPOCHS)]
    rows = jnp.concatenate(orders).reshape(EPOCHS * MINIBATCHES, size // MINIBATCHES)
    (params, state), _ = jax.lax.scan(one, (params, state), rows)
    return params, state


def advantages(rewards: Any, ends: Any, values: Any, last: Any) -> Any:
    """The advantage of each action, indexed by step and environment, without discounting."""
    found, ahead, after = np.zeros_like(values), 0.0, last
    for t in reversed(range(len(rewards))):
        goes_on = 1.0 - ends[t]
        ahead = rewards[t] + goes_on * after - values[t] + GAE * goes_on * ahead
        found[t], after = ahead, values[t]
    return found


# ---- the network as a player

class Net(unolab.Policy):
    """Plays the action with the highest logit; needs only NumPy."""

    def __init__(self, params: Any, variant: str, seats: int, name: str = "ppo") -> None:
        env = table(variant, seats, 1, "greedy", 1)
        self.params = [(np.array(weights), np.array(bias)) for weights, bias in params]
        self.variant, self.seats, self.spec_hash, self.name = variant, seats, env.spec_hash, name
        self.rules_hash = env.spec["rules_hash"]
        self.colors = Colors(env)

    def act(self, obs: Any, action_mask: Any, info: dict[str, Any]) -> Any:
        # The name of a variant does not identify its rules: `overrides` change neither the name nor, often, any shape.
        if (info["rules_hash"], info["seats"]) != (self.rules_hash, self.seats):
            raise ValueError(f"trained for {self.variant}, rules {self.rules_hash}, at {self.seats} seats")
        obs, mask, old = self.colors.rename(obs, action_mask)
        best = forward(np, self.params, obs, mask)[0].argmax(1)
        return old[np.arange(len(best)), best]

    def save(self, path: Path) -> None:
        """Saves the weights with the variant, the seats and the spec hash of the training run."""
        arrays = {f"{kind}{n}": array for n, layer in enumerate(self.params) for kind, array in zip("wb", layer)}
        np.savez(path, variant=self.variant, seats=self.seats, spec_hash=self.spec_hash, **arrays)

    @classmethod
    def load(cls, path: str | Path) -> Net:
        """Loads a network; raises if it was trained with another version of the game."""
        kept = np.load(path)
        net = cls([(kept[f"w{n}"], kept[f"b{n}"]) for n in range(3)], str(kept["variant"]), int(kept["seats"]))
        if net.spec_hash != str(kept["spec_hash"]):
            raise ValueError(f"{path}: trained for other rules, another layout or another version")
        return net


def table(variant: str, seats: int, envs: int, opponent: str, seed: int) -> unolab.VecEnv:
    return unolab.VecEnv(variant, seats, envs, seed, opponents=[opponent], threads=1)


def share(net: Net, opponent: str, sets: int, seed: int) -> tuple[float, float, float]:
    """The network's win share and its interval, on the deals of this seed."""
    result = unolab.match(net, opponent, variant=net.variant, seats=net.seats, sets=sets, seed=seed, progress=False)
    row = next(row for row in result.summary if row["entrant"] == net.name)
    return row["win_share"], row["ci_low"], row["ci_high"]


# ---- the training run

def train(args: argparse.Namespace) -> tuple[Net, list[dict[str, float]]]:
    """Trains until the time is over; returns the network and its learning curve."""
    env = table(args.variant, args.seats, ENVS, args.opponent, args.seed)
    colors, rng, rows = Colors(env), np.random.default_rng(args.seed), np.arange(ENVS)
    key = jax.random.key(args.seed)
    key, own = jax.random.split(key)
    params = begin(own, env.obs_size, env.num_actions)
    zeros = jax.tree.map(jnp.zeros_like, params)
    state = (jnp.zeros(()), zeros, jax.tree.map(jnp.zeros_like, params))
    played: dict[str, Any] = {
        "obs": np.zeros((STEPS, ENVS, env.obs_size), np.uint8),
        "mask": np.zeros((STEPS, ENVS, env.num_actions), np.uint8),
        "action": np.zeros((STEPS, ENVS), np.int32),
        "log": np.zeros((STEPS, ENVS), np.float32),
    }
    free = np.zeros((STEPS, ENVS), np.bool_)
    values, rewards, ends = (np.zeros((STEPS, ENVS), np.float32) for _ in range(3))
    obs, info = env.reset()
    curve: list[dict[str, float]] = []
    decisions = rounds = 0
    start, cpu, tested = time.monotonic(), time.process_time(), 0.0

    def test() -> None:
        net = Net(params, args.variant, args.seats)
        won, low, high = share(net, args.opponent, TEST_SETS, seed=1_000_003)
        minutes, cpu_minutes = (time.monotonic() - start) / 60, (time.process_time() - cpu) / 60
        curve.append({"minutes": minutes, "processor_minutes": cpu_minutes, "decisions": decisions, "rounds": rounds,
                      "win_share": won, "ci_low": low, "ci_high": high})
        print(f"{minutes:5.1f} min {decisions:11,} decisions {rounds:9,} rounds  {100 * won:.1f}% "
              f"[{100 * low:.1f}, {100 * high:.1f}]", flush=True)

    test()
    while (done := max((time.monotonic() - start) / (60 * args.minutes), decisions / args.decisions)) < 1:
        for t in range(STEPS):
            key, own = jax.random.split(key)
            seen, mask, old = colors.rename(obs, info["action_mask"])
            action, log, value = (np.asarray(array) for array in act(params, own, seen, mask))
            played["obs"][t], played["mask"][t], free[t] = seen, mask, info["num_legal"] > 1
            played["action"][t], played["log"][t], values[t] = action, log, value
            obs, _, terminated, truncated, info = env.step(old[rows, action])
            rewards[t], ends[t] = info["learner_reward"], terminated | truncated
        last = np.asarray(act(params, own, *colors.rename(obs, info["action_mask"])[:2])[2])
        gains = advantages(rewards, ends, values, last)
        choices = np.flatnonzero(free)
        learned = rng.choice(choices, LEARNED, replace=len(choices) < LEARNED)
        batch = {name: array.reshape(STEPS * ENVS, *array.shape[2:])[learned] for name, array in played.items()}
        batch |= {"advantage": gains.ravel()[learned], "return": (gains + values).ravel()[learned]}
        key, own = jax.random.split(key)
        params, state = learn(params, state, batch, RATE * (1 - 0.9 * done), own)
        decisions, rounds = decisions + STEPS * ENVS, rounds + int(ends.sum())
        if done - tested >= 0.05:
            tested = done
            test()
    test()
    return Net(params, args.variant, args.seats), curve


def keep(net: Net, curve: list[dict[str, float]], opponent: str, directory: Path) -> None:
    """Writes the weights, and the learning curve as a table and as a figure."""
    net.save(directory / "policy.npz")
    with open(directory / "curve.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, curve[0])
        writer.writeheader()
        writer.writerows(curve)
    try:
        import matplotlib
    except ImportError:
        return print("no picture: matplotlib is not installed")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    x = [row["minutes"] for row in curve]
    figure, axes = plt.subplots(figsize=(7, 4))
    axes.fill_between(x, [100 * r["ci_low"] for r in curve], [100 * r["ci_high"] for r in curve], alpha=0.25)
    axes.plot(x, [100 * row["win_share"] for row in curve])
    axes.axhline(100 / net.seats, color="grey", linewidth=0.8)
    axes.set(xlabel=f"minutes; {curve[-1]['decisions'] / 1e6:.1f} million decisions at the end", ylabel=f"rounds won against {opponent}, %",
             title=f"PPO, {net.variant}, {net.seats} seats")
    figure.tight_layout()
    figure.savefig(directory / "curve.svg")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--variant", default="classic")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--opponent", default="greedy")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--decisions", type=float, default=float("inf"), help="end after so many, even before the time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("trained"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    net, curve = train(args)
    keep(net, curve, args.opponent, args.out)
    won, low, high = share(net, args.opponent, LAST_SETS, seed=2_000_003)
    print(f"{100 * won:.2f}% [{100 * low:.2f}, {100 * high:.2f}] of {LAST_SETS * args.seats:,} rounds against {args.opponent}")


if __name__ == "__main__":
    main()
