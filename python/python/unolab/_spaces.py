"""The action space of the single-game environments."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

__all__ = ["Actions"]


class Actions(gymnasium.spaces.Discrete):
    """`Discrete`, with the same random numbers, but `sample(mask)` takes a fraction of the time."""

    def sample(self, mask: npt.NDArray[np.int8] | None = None, probability: Any = None) -> np.int64:
        """A random action; with a mask, a random legal action."""
        if type(mask) is np.ndarray and probability is None and mask.dtype == np.int8 and mask.shape == (self.n,):
            bits = mask.tobytes()
            legal = bits.count(1)
            if legal and legal + bits.count(0) == len(bits):
                chosen: np.int64 = mask.nonzero()[0][self.np_random.integers(legal)]
                return chosen
        return super().sample(mask, probability)
