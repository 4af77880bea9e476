"""UNO-like card games for reinforcement learning: exact rules, batches of environments, agents, tournaments.

    import unolab

    env = unolab.VecEnv(variant="classic", seats=2, num_envs=1024, seed=1)
    obs, info = env.reset()
    for _ in range(1000):
        obs, rewards, terminated, truncated, info = env.step(env.sample())

`unolab.pettingzoo`, `.gymnasium`, `.sb3`, `.openspiel`, `.rlcard` and `.ray` are adapters; each is imported, with its library, on first
use.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

from . import _gymnasium_ids, _native
from ._native import __version__, agents, variants
from ._adviser import Adviser
from ._agent import Agent, agent
from ._decode import decode
from ._errors import IllegalAction
from ._experiments import balance, league, sprt, train
from ._result import Result
from ._round import Round
from ._self_play import Trajectory, self_play
from ._tournament import Policy, analyze, match, tournament
from ._vec_env import VecEnv

__all__ = [
    "Adviser",
    "Agent",
    "IllegalAction",
    "Policy",
    "Result",
    "Round",
    "Trajectory",
    "VecEnv",
    "__version__",
    "agent",
    "agents",
    "analyze",
    "balance",
    "decode",
    "league",
    "match",
    "self_play",
    "sprt",
    "tournament",
    "train",
    "variants",
]

if TYPE_CHECKING:  # the adapters have types without being imported
    from . import gymnasium as gymnasium
    from . import openspiel as openspiel
    from . import pettingzoo as pettingzoo
    from . import ray as ray
    from . import rlcard as rlcard
    from . import sb3 as sb3

_native.built_as(_native.__file__)  # identifies the build in the directories of runs

_ADAPTERS = ("gymnasium", "openspiel", "pettingzoo", "ray", "rlcard", "sb3")


def __getattr__(name: str) -> Any:
    if name in _ADAPTERS and importlib.util.find_spec(f"{__name__}.{name}") is not None:
        try:
            return importlib.import_module(f"{__name__}.{name}")
        except ModuleNotFoundError as missing:  # help() and other inspection tools expect only this error
            raise AttributeError(f"unolab.{name} needs {missing.name}, which is not installed") from missing
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_ADAPTERS})


_gymnasium_ids.register_once_imported()  # for `gymnasium.make("unolab/Classic-v0")`
