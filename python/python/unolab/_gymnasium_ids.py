"""The Gymnasium ids of the editions."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

from ._native import variants


def _id(variant: str) -> str:
    """`unolab/WimpyKid-v0` for `wimpy-kid`."""
    name = "".join(part.capitalize() for part in variant.split("-"))
    return f"unolab/{name}-v0"


IDS = {_id(variant): variant for variant in variants()}


def register() -> None:
    """Registers the ids, unless they are already registered."""
    try:
        from gymnasium.envs.registration import register, registry
    except ImportError:
        return  # a different module has the name gymnasium
    for id, variant in IDS.items():
        if id not in registry:
            register(
                id=id,
                entry_point="unolab.gymnasium:Env",
                vector_entry_point="unolab.gymnasium:VectorEnv",
                kwargs={"variant": variant},
                # `Env` rejects calls in the wrong order by itself, and the tests call `check_env`. Wrappers would take time.
                order_enforce=False,
                disable_env_checker=True,
            )


def register_once_imported() -> None:
    """Registers the ids now if Gymnasium has been imported, and otherwise when it is imported."""
    if "gymnasium" in sys.modules:
        register()
    else:
        sys.meta_path.insert(0, _Follower())


class _Follower:
    """An import hook that registers the ids after Gymnasium has been imported. Importing it in advance would take too long."""

    def __init__(self) -> None:
        self._is_asking = False

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != "gymnasium" or self._is_asking:
            return None
        self._is_asking = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._is_asking = False
        if spec is None or spec.loader is None:
            return spec
        load = spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            load(module)
            with contextlib.suppress(ValueError):
                sys.meta_path.remove(self)
            register()

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec
