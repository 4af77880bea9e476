"""An RLCard environment, `unolab.rlcard.make("classic", seats=2)`, and agents for RLCard's own UNO: `unolab.rlcard.Agent("net")`.

After `import unolab.rlcard`, `rlcard.make("unolab", config={"variant": "classic", "seats": 2})` also makes it. RLCard's own agents
play in the environment. Actions and hands use RLCard's names where they exist (`r-7`, `g-draw_2`,
`b-wild_draw_4`, `draw`); other actions are `do-` followed by the notation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from rlcard.envs import Env
from rlcard.envs.registration import register, registry

from ._adviser import Adviser
from ._decode import decode
from ._errors import illegal
from ._round import Round, refused

__all__ = ["Agent", "UnoEnv", "make"]

_FACES = {"S": "skip", "R": "reverse", "D": "draw_2", "C": "cheese_touch"}
_WILDS = {
    "W": "wild",
    "W4": "wild_draw_4",
    "WV": "wild_villain_draw_4",
    "WS": "wild_swap_hands",
    "WL": "wild_victory_lap",
    "WA": "wild_discard_all",
}


def make(
    variant: str = "classic",
    seats: int = 2,
    *,
    seed: int | None = None,
    overrides: Sequence[str] = (),
    voluntary_draw: bool = False,
    allow_step_back: bool = False,
) -> UnoEnv:
    """An RLCard environment of one round; payoffs are 1 for the winner and -1 for the others."""
    return UnoEnv(
        {
            "variant": variant,
            "seats": seats,
            "seed": seed,
            "overrides": overrides,
            "voluntary_draw": voluntary_draw,
            "allow_step_back": allow_step_back,
        }
    )


def _card(code: str, color: str = "r") -> str:
    """The RLCard name of a card. A wild gets the named color, or red if it is in a hand."""
    if code.startswith("W"):
        return f"{color}-{_WILDS.get(code, f'wild_{code[1:].lower()}')}"
    return f"{code[0]}-{_FACES.get(code[1:], code[1:])}"


def _raw(name: str) -> str:
    """The RLCard name of an action."""
    match name.split():
        case ["play", code]:
            return _card(code)
        case ["play", code, color]:
            return _card(code, color)
        case ["draw"]:
            return "draw"
        case words:
            return "do-" + "_".join(words)


class _RawObservation(Mapping[str, Any]):
    """The observation with RLCard's names. It is decoded from the bytes on first use, because most learners use only the bytes."""

    __slots__ = ("_found", "_legal", "_row", "_spec")

    def __init__(self, row: npt.NDArray[np.uint8], spec: Mapping[str, Any], legal: list[str]) -> None:
        self._row, self._spec, self._legal = row, spec, legal

    def _fields(self) -> dict[str, Any]:
        if not hasattr(self, "_found"):
            seen = decode(self._row, self._spec)
            self._found: dict[str, Any] = {
                "hand": [_card(code) for code in seen["hand"]],
                "target": _card(seen["top"], (seen["color"] or "red")[0]),
                "played_cards": [_card(code) for code in seen["discard_pile"]],
                "legal_actions": self._legal,
                "num_cards": seen["hand_sizes"],
                "num_players": len(seen["hand_sizes"]),
                "current_player": seen["seat"],
            }
        return self._found

    def __getitem__(self, name: str) -> Any:
        return self._fields()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields())

    def __len__(self) -> int:
        return len(self._fields())

    def __repr__(self) -> str:
        return repr(self._fields())


class _Game:
    """A round with the interface of an RLCard game."""

    def __init__(self, round: Round) -> None:
        self.round = round
        self._before: list[Round] = []
        self.allow_step_back = False
        self.np_random = np.random.RandomState()
        self.num_players = round.seats

    def init_game(self) -> tuple[int, int]:
        seed = int(self.np_random.randint(2**63, dtype=np.int64))
        self.round = Round._of(self.round._native.dealt_anew(seed), self.round._names)
        self._before = []
        return self.get_player_id(), self.get_player_id()

    def step(self, action: int) -> tuple[int, int]:
        if self.allow_step_back:
            self._before.append(self.round.clone())
        self.round.apply(action)
        return self.get_player_id(), self.get_player_id()

    def step_back(self) -> bool:
        if not self._before:
            return False
        self.round = self._before.pop()
        return True

    def get_player_id(self) -> int:
        seat = self.round.current_seat
        return 0 if seat is None else seat

    def get_state(self, player: int) -> int:
        return player

    def get_num_players(self) -> int:
        return self.round.seats

    def get_num_actions(self) -> int:
        return self.round.num_actions

    def is_over(self) -> bool:
        return self.round.is_terminal


class UnoEnv(Env):  # type: ignore[misc]
    """One round with RLCard's interface: `run`, `set_agents`, `get_payoffs`, `step_back`."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.name = "unolab"
        defaults = {"variant": "classic", "seats": 2, "seed": None, "overrides": [], "voluntary_draw": False}
        config = {**defaults, "allow_step_back": False, **config}
        round = Round(
            config["variant"], config["seats"], 0, overrides=config["overrides"], voluntary_draw=config["voluntary_draw"]
        )
        self.game = _Game(round)
        self._names = round.action_names
        self._spec = round.spec
        self._raw_names = [_raw(name) for name in self._names]
        super().__init__(config)
        self.state_shape = [[round.obs_size] for _ in range(self.num_players)]
        self.action_shape = [None for _ in range(self.num_players)]

    def seed(self, seed: int | None = None) -> int | None:
        """Seeds the following deals."""
        self.game.np_random = np.random.RandomState(seed)
        self.np_random = self.game.np_random
        return seed

    def _extract_state(self, state: int) -> dict[str, Any]:
        row, legal = self.game.round._native.row_and_ids(state)
        raw_legal = list(map(self._raw_names.__getitem__, legal))
        return {
            "obs": row,
            "legal_actions": legal,
            "raw_obs": _RawObservation(row, self._spec, raw_legal),
            "raw_legal_actions": raw_legal,
            "action_record": self.action_recorder,
        }

    def _get_legal_actions(self) -> dict[int, None]:
        return dict.fromkeys(self.game.round._native.legal_actions())

    def _decode_action(self, action_id: int) -> int:
        return action_id

    def step(self, action: Any, raw_action: bool = False) -> tuple[dict[str, Any], int]:
        """Plays an id, or an action by its RLCard name."""
        id = self._id_of(action) if raw_action and isinstance(action, str) else action
        game = self.game
        if game.allow_step_back:
            return super().step(id)  # type: ignore[no-any-return]
        native = game.round._native
        seat = native.current_seat or 0
        player = native.advance(id)
        if player is None:
            raise refused(native, id, self._names)
        if player < 0:
            player = 0
        self.timestep += 1
        self.action_recorder.append((seat, id))
        return self._extract_state(player), player

    def is_over(self) -> bool:
        """Whether the round is over."""
        return self.game.round._native.is_terminal

    def _id_of(self, raw: str) -> int:
        """The legal action with this name. A wild as the last card names no color, so it matches any color."""
        legal = self.game.round.legal_actions()
        for id in legal:
            if self._raw_names[id] == raw:
                return id
        for id in legal:
            if raw[2:6] == "wild" and self._raw_names[id][1:] == raw[1:]:
                return id
        names = [self._raw_names[id] for id in legal]
        wrong = illegal(None, self.game.round.current_seat, -1, legal, self._names)
        wrong.args = (f"{raw!r} is not legal; legal: {', '.join(names)}",)
        raise wrong

    def get_payoffs(self) -> Any:
        """1 for the winner and -1 for the others; 0 for all if no player wins."""
        returns = self.game.round.returns()
        best = max(returns)
        is_void = all(share == best for share in returns)
        return np.array([0.0 if is_void else 1.0 if share == best else -1.0 for share in returns])

    def get_perfect_information(self) -> dict[str, Any]:
        """The whole position, including hidden cards."""
        round = self.game.round
        seats = range(self.num_players)
        seen = round.observation(self.game.get_player_id())
        return {
            "num_players": self.num_players,
            "hand_cards": [[_card(code) for code in round.observation(seat)["hand"]] for seat in seats],
            "played_cards": [_card(code) for code in seen["discard_pile"]],
            "target": _card(seen["top"], (seen["color"] or "red")[0]),
            "current_player": self.game.get_player_id(),
            "legal_actions": [self._raw_names[id] for id in round.legal_actions()],
        }


#: The rules that are closest to RLCard's own UNO: a player draws only without a playable card, a Wild Draw Four is playable only
#: if no other card is and cannot be challenged, and with two players a Reverse passes the turn to the opponent.
_OVERRIDES = (
    "turn.draw=no_playable",
    "draw_four.legality=no_other_playable",
    "draw_four.enforcement=engine",
    "challenge.who=none",
    "two_player.reverse=literal",
)

_CODES = {face: code for code, face in _FACES.items()} | {face: code for code, face in _WILDS.items()}


def _code(card: str) -> str:
    """The code of an RLCard card in the notation."""
    color, _, face = card.partition("-")
    code = _CODES.get(face, face)
    return code if face.startswith("wild") else color + code


class Agent:
    """An agent of unolab in RLCard's own UNO (`rlcard.make("uno")`): for `env.set_agents` and `tournament`.

    If RLCard reports an impossible state (a new draw pile contains the top card, and the color of a wild is then unknown), or
    the choice is not among RLCard's legal actions, the agent plays the first legal action and counts it in `strayed`.
    """

    use_raw = True

    def __init__(self, agent: str = "net", *, seed: int = 1) -> None:
        self._adviser = Adviser(agent, "classic", 2, overrides=_OVERRIDES, seed=seed)
        #: The number of decisions, and the number of decisions in which RLCard and these rules had no action in common.
        self.decisions = self.strayed = 0

    def step(self, state: dict[str, Any]) -> str:
        """The RLCard name of the chosen action."""
        legal: list[str] = list(state["raw_legal_actions"])
        self.decisions += 1
        if len(legal) == 1:
            return legal[0]
        seen = state["raw_obs"]
        hand = [_code(card) for card in seen["hand"]]
        # After the draw pile is renewed, only the top card of the discard pile is known.
        discard = [_code(card) for card in seen["played_cards"] or [seen["target"]]]
        # A wild as the target has its printed color; on the pile it has the named color.
        is_wild, played = "wild" in seen["target"], seen["played_cards"]
        color = played[-1][0] if is_wild and played else None
        sizes = [int(size) for size in seen["num_cards"]]
        try:
            chosen = self._adviser.choose(hand, discard, sizes, seat=int(seen["current_player"]), color=color)
        except ValueError:
            chosen = ""
        for action in legal:
            if _raw(chosen) == action:
                return action
        self.strayed += 1
        return legal[0]

    def eval_step(self, state: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """The action as in `step`, with no further information."""
        return self.step(state), {}


if "unolab" not in registry.env_specs:
    register(env_id="unolab", entry_point="unolab.rlcard:UnoEnv")
