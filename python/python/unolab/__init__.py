"""UNO-like card games for learners: exact rules, batches of environments, agents, tournaments.

    import unolab

    env = unolab.VecEnv(variant="classic", seats=2, num_envs=1024, seed=1)
    obs, info = env.reset()
    for _ in range(1000):
        obs, rewards, terminated, truncated, info = env.step(env.sample())

`unolab.pettingzoo`, `.gymnasium`, `.openspiel`, `.rlcard` and `.ray` are adapters; each is imported, with its library, on first
use.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from . import _gymnasium_ids, _native
from ._native import __version__, agents, variants
from ._adviser import Adviser
from ._errors import IllegalAction
from ._experiments import balance, league, sprt, train
from ._result import Result
from ._round import Round
from ._tournament import Policy, analyze, match, tournament
from ._vec_env import VecEnv

__all__ = [
    "Adviser",
    "IllegalAction",
    "Policy",
    "Result",
    "Round",
    "VecEnv",
    "__version__",
    "agents",
    "analyze",
    "balance",
    "league",
    "match",
    "sprt",
    "tournament",
    "train",
    "variants",
]

_native.built_as(_native.__file__)  # what the directory of a run calls its build

_ADAPTERS = ("gymnasium", "openspiel", "pettingzoo", "ray", "rlcard")


def __getattr__(name: str) -> Any:
    if name in _ADAPTERS and importlib.util.find_spec(f"{__name__}.{name}") is not None:
        try:
            return importlib.import_module(f"{__name__}.{name}")
        except ModuleNotFoundError as missing:  # the only error that inspection, such as help(), expects
            raise AttributeError(f"unolab.{name} needs {missing.name}, which is not installed") from missing
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_ADAPTERS})


_gymnasium_ids.register_once_imported()  # makes `gymnasium.make("unolab/Classic-v0")` known
