"""Seeds of environments that are made without one."""

from __future__ import annotations

import secrets
from typing import Any


def seed_or_entropy(seed: Any) -> Any:
    """The seed, or fresh entropy from the system without one."""
    return secrets.randbits(64) if seed is None else seed
