"""The exceptions."""

from __future__ import annotations


class IllegalAction(ValueError):
    """An action that is not legal in the current position. Nothing has changed.

    `env` is the number of the environment, or None for a `Round`; `seat` is the seat that decides; `action` is the given
    id; `legal` has the legal ids.
    """

    def __init__(self, message: str, env: int | None, seat: int | None, action: int, legal: list[int]) -> None:
        super().__init__(message)
        self.env = env
        self.seat = seat
        self.action = action
        self.legal = legal

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.env, self.seat, self.action, self.legal)


def illegal(env: int | None, seat: int | None, action: int, legal: list[int], names: list[str]) -> IllegalAction:
    """The exception for this action, with a message that lists the legal actions."""
    where = "" if env is None else f"environment {env}, "
    what = f"action {action} (`{names[action]}`)" if 0 <= action < len(names) else f"action {action}"
    if seat is None:
        message = f"{where}{what}: the round is over"
    else:
        allowed = ", ".join(f"{id} (`{names[id]}`)" for id in legal)
        bound = "" if 0 <= action < len(names) else f" (ids go from 0 to {len(names) - 1})"
        message = f"{where}seat {seat}: {what} is not legal{bound}; legal: {allowed}"
    return IllegalAction(message, env, seat, action, legal)
