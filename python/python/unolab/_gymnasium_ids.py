"""The ids under which Gymnasium knows the editions."""

from __future__ import annotations

IDS = {
    "unolab/Classic-v0": "classic",
    "unolab/WimpyKid-v0": "wimpy-kid",
    "unolab/Handheld-v0": "handheld",
    "unolab/SwapHands-v0": "swap-hands",
    "unolab/Cars-v0": "cars",
    "unolab/Disney-v0": "disney",
    "unolab/Custom-v0": "custom",
}


def register() -> None:
    """Registers them, if they are not known yet."""
    from gymnasium.envs.registration import register, registry

    for id, variant in IDS.items():
        if id not in registry:
            register(
                id=id,
                entry_point="unolab.gymnasium:Env",
                vector_entry_point="unolab.gymnasium:VectorEnv",
                kwargs={"variant": variant},
            )
