"""Seeds for environments that are created without one."""

from __future__ import annotations

import secrets
from typing import Any


def seed_or_entropy(seed: Any) -> Any:
    """The seed, or a random seed from the operating system if it is None."""
    return secrets.randbits(64) if seed is None else seed
