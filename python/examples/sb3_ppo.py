"""Trains MaskablePPO of sb3-contrib against `greedy`, and plays a match with the network.

    pip install ./python sb3-contrib
    python python/examples/sb3_ppo.py --out trained.zip

The main differences from the tutorial of sb3-contrib are larger batches, because a step of `unolab.sb3.VecEnv` plays many games at
once, and a discount of 1, because the only reward is the result of the round. With `VecNormalize` the network did not learn in
750,000 decisions.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

import unolab


class Learner:
    """The network as a player of `unolab.match` and `unolab.tournament`."""

    name = "maskable-ppo"

    def __init__(self, model: MaskablePPO) -> None:
        self.model = model

    def act(self, obs: Any, action_mask: Any, info: Any) -> Any:
        """The most probable legal action in each position."""
        return self.model.predict(obs, action_masks=action_mask.astype(bool), deterministic=True)[0]


class Curve(BaseCallback):  # type: ignore[misc]
    """Prints the win rate of the network on test deals at regular intervals."""

    def __init__(self, every: int) -> None:
        super().__init__()
        self.every, self.next = every, every

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        if self.num_timesteps >= self.next:
            self.next += self.every
            report(Learner(self.model), self.num_timesteps, 1_000)


def report(learner: Learner, steps: int, sets: int) -> None:
    """Prints the win rate against `greedy`. Each set is one deal, played from both seats."""
    won = unolab.match(learner, "greedy", variant="classic", seats=2, sets=sets, seed=2).summary[0]
    share = f"{won['win_share']:.1%} [{won['ci_low']:.1%}, {won['ci_high']:.1%}]"
    print(f"{steps:>10,} steps, {time.process_time():5.0f} s of processor time: {share} of rounds won", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=6_000_000, help="decisions of the learner (default 6000000)")
    parser.add_argument("--out", help="write the model to this file")
    args = parser.parse_args()

    torch.set_num_threads(1)  # with small matrices, several threads are slower
    env = unolab.sb3.VecEnv("classic", num_envs=256, opponents=["greedy"], seed=1)
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=128, batch_size=4096, n_epochs=4, gamma=1.0, learning_rate=1e-3, ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128]}, seed=1, device="cpu",
    )
    model.learn(args.steps, callback=Curve(500_000))
    report(Learner(model), model.num_timesteps, 10_000)
    if args.out:
        model.save(args.out)


if __name__ == "__main__":
    main()
