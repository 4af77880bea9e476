"""`VecEnv`: many games at once, in NumPy arrays."""

from __future__ import annotations

import functools
import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from . import _check, _native
from ._errors import illegal
from ._mixture import Mixture, Table
from ._opponents import Opponents
from ._round import Round

Array = npt.NDArray[Any]
Info = dict[str, Array]

_OUT = ("obs", "action_mask", "to_play", "legal", "num_legal", "rewards", "learner_reward", "terminated", "truncated", "final_obs", "full_obs")

Variant = str | os.PathLike[str]

P = ParamSpec("P")
T = TypeVar("T")


def _alone(method: Callable[Concatenate[VecEnv, P], T]) -> Callable[Concatenate[VecEnv, P], T]:
    """The method, which raises an error while another thread is in a method of the same environment."""

    @functools.wraps(method)
    def call(self: VecEnv, /, *args: P.args, **options: P.kwargs) -> T:
        self._take()
        try:
            return method(self, *args, **options)
        finally:
            self._lock.release()

    return call


class VecEnv:
    """Many games that are stepped together.

    Every array has one row per environment and is contiguous. Every step overwrites it: copy the data that you want to keep.
    `info` has `action_mask`, `to_play`, `legal` (packed ids, followed by -1), `num_legal`; with `autoreset="same_step"`
    also `final_obs`, whose row is filled in the step in which that game ends and zero otherwise; with opponents also
    `learner_reward`, the learner's own share of `rewards`; with `outputs="full"` also `full_obs`; with several tables also
    `table`, the number of each row's table in `tables`.

    An environment can be pickled and copied. A copy continues with the same games and the same opponents.

    Args:
        variant: the name of an edition (see `variants()`) or the path of a variant file. From a list, each row draws one.
        seats: the number of seats. From a list, each row draws one. With several tables, cards and actions with the same name
            have the same position in the arrays.
        num_envs: the number of games at once, at most 2^20.
        seed: the seed of the games. The same seed gives the same arrays for any value of `threads`. With a list of one seed per
            row, each row plays the games of an environment of one row with that seed.
        overrides: changes to the rules, written `"key=value"`.
        unit: the unit of a game: a `"round"`, or a `"match"` to the target score. In a match, observations include the scores,
            points and places refer to the match, and an eliminated player makes no more decisions. Partners must not change.
        voluntary_draw: whether drawing, and keeping the drawn card, is offered when a card could be played. The rules do not
            change, but with it, uniform play takes about twenty times as many decisions per round.
        reward: `"win"`, the share of the win; `"zero_sum"`, the share of the win minus the fair share; `"points"`, as
            credited by the rules, negative if the fewest win; `"places"`, from 1 for the first to 0 for the last.
        opponents: the players in the other seats: built-in agents, such as `"heuristic"`, and objects of `unolab.Policy`. From a
            list in place of a player, each game draws one. A single player takes all other seats. In each game the learner
            sits one seat further on, and every row is a decision of the learner. `act` of a policy receives
            `info` as in tournaments, except that in a match with several tables `variant`, `seats` and `rules_hash` are absent.
        autoreset: when the next game begins: in the `"same_step"`, in the `"next_step"`, or, if `"disabled"`, when `reset`
            is called with `options={"reset_mask": ...}`.
        max_decisions: the number of decisions of all seats after which a game is truncated and counts as a game without a winner.
        threads: the number of threads that step the games; 0 for one per processor.
        history: the number of last events in each observation.
        outputs: which arrays are written. `"all"`; `"full"`, also `full_obs`, the observations of all seats in order of play from
            the seat that decides, for a critic; `"mask"`, all but observations; `"ids"`, neither observations nor masks, for a
            player that chooses only by `legal` and `num_legal`. Arrays that are not written have zero columns. The games are
            the same.
    """

    def __init__(
        self,
        variant: Variant | Sequence[Variant] = "classic",
        seats: int | Sequence[int] = 4,
        num_envs: int = 1024,
        seed: int | Sequence[int] = 1,
        *,
        overrides: Sequence[str] = (),
        unit: Literal["round", "match"] = "round",
        voluntary_draw: bool = False,
        reward: Literal["win", "zero_sum", "points", "places"] = "win",
        opponents: Sequence[Any] | None = None,
        autoreset: Literal["same_step", "next_step", "disabled"] = "same_step",
        max_decisions: int = 10_000,
        threads: int = 1,
        history: int = 0,
        outputs: Literal["all", "full", "mask", "ids"] = "all",
    ) -> None:
        variants = _check.paths("variant", variant)
        sizes = _check.naturals("seats", seats, 2, _check.MOST_SEATS)
        #: The tables from which each row draws one.
        self.tables = [Table(name, size) for name in variants for size in sizes]
        self.variant, self.seats = variants[0], max(sizes)
        self.num_envs = _check.natural("num_envs", num_envs, 1, _check.MOST_ENVS)
        self._players = None if opponents is None else Opponents(opponents)
        options: dict[str, Any] = {
            "overrides": _check.texts("overrides", overrides),
            "unit": _check.text("unit", unit),
            "voluntary_draw": _check.flag("voluntary_draw", voluntary_draw),
            "reward": _check.text("reward", reward),
            "autoreset": _check.text("autoreset", autoreset),
            "max_decisions": _check.natural("max_decisions", max_decisions, 1, 2**32 - 1),
            "threads": _check.natural("threads", threads, 0, _check.MOST_THREADS),
            "history": _check.natural("history", history, 0, 4096),
            "outputs": _check.text("outputs", outputs),
        }
        candidates, players = (None, None) if self._players is None else (self._players.candidates, self._players.players())

        def make(table: Table, seeds: Array, numbers: Array) -> _native.Batch:
            return _native.Batch(table.variant, table.seats, seeds, numbers, opponents=candidates, **options)

        self._make = make
        seed = _seeds(seed)
        # The checked arguments, because the caller may change lists later, and an iterator can be read only once. A copy may be
        # made in another working directory.
        places = [name if name in _native.variants() else os.path.abspath(name) for name in variants]
        self._remake = functools.partial(VecEnv, places, sizes, self.num_envs, seed, opponents=players, **options)
        self._start(*self._streams(seed))
        self.num_actions: int = self._native.num_actions
        self.action_names: list[str] = self._native.action_names
        self.obs_size: int = self._native.obs_size
        self.autoreset, self._outputs = autoreset, outputs
        self._spec_json: str = self._native.spec
        n, actions = self.num_envs, self.num_actions
        self._own: dict[str, Array] = {
            "obs": np.zeros((n, self.obs_size), np.uint8),
            "action_mask": np.zeros((n, self._native.mask_size), np.uint8),
            "to_play": np.zeros(n, np.int8),
            "legal": np.full((n, actions), -1, np.int16),
            "num_legal": np.zeros(n, np.int16),
            "rewards": np.zeros((n, self.seats), np.float32),
            "learner_reward": np.zeros(n, np.float32),
            "terminated": np.zeros(n, np.bool_),
            "truncated": np.zeros(n, np.bool_),
            "final_obs": np.zeros((n, self.obs_size), np.uint8),
            "full_obs": np.zeros((n, self.seats if outputs == "full" else 0, self.obs_size), np.uint8),
        }
        self._last = self._own
        self._has_begun = self._has_shown = False
        self._is_asking_policies = self._is_interrupted = False
        self._is_closed = False
        self._lock = threading.RLock()  # a policy may use the environment that waits for its answer

    def _streams(self, seed: Any) -> tuple[Array, Array]:
        """The seed of each row, and its number among the rows with that seed."""
        seeds = _seeds(seed)
        if isinstance(seeds, list):
            if len(seeds) != self.num_envs:
                raise ValueError(f"seed: {len(seeds)} seeds; needed: one, or {self.num_envs}, one per row")
            return np.array(seeds, np.uint64), np.zeros(self.num_envs, np.uint64)
        return np.full(self.num_envs, seeds, np.uint64), np.arange(self.num_envs, dtype=np.uint64)

    def _start(self, seeds: Array, numbers: Array) -> None:
        """Begins the first games of these streams; with several tables, draws the table of each row."""
        self._policy_seeds = np.random.default_rng([int(seeds[0]), 1])
        self._native: _native.Batch | Mixture
        policies = self._players is not None and bool(self._players.policies)
        self._has_direct_steps = self.num_envs == len(self.tables) == 1 and not policies
        if len(self.tables) == 1:
            self._native = self._make(self.tables[0], seeds, numbers)
            return
        pairs = zip(seeds.tolist(), numbers.tolist(), strict=True)
        draws = [np.random.default_rng([seed, number]).integers(len(self.tables)) for seed, number in pairs]
        self._native = Mixture(self.tables, np.array(draws, np.int16), seeds, numbers, self._make)

    @property
    def spec(self) -> dict[str, Any]:
        """Everything that determines the meaning of the arrays: layout, actions, rules, options, version."""
        spec: dict[str, Any] = json.loads(self._spec_json)
        return spec

    @property
    def spec_hash(self) -> str:
        """The SHA-256 of `spec` as JSON with sorted keys and no spaces. Store it with trained weights."""
        return _native.sha256(self._spec_json)

    @_alone
    def reset(
        self,
        seed: int | Sequence[int] | None = None,
        *,
        options: Mapping[str, Any] | None = None,
        out: Mapping[str, Array] | None = None,
    ) -> tuple[Array, Info]:
        """Begins a new game in every environment, or in the environments of `options["reset_mask"]`.

        With a seed, or one per row, the games start again from the first game of that seed. Without a seed, the first call
        starts the first games and later calls start the next ones.
        """
        self._check_not_asking()
        arrays = self._arrays(out)
        chosen = _check.mapping("options", options)
        mask = chosen.get("reset_mask")
        unknown = set(chosen) - {"reset_mask"}
        if unknown:
            raise ValueError(f"options: {', '.join(sorted(map(repr, unknown)))}: not known; allowed: 'reset_mask'")
        if mask is not None and seed is not None:
            raise ValueError("seed: a seed is for all environments; allowed with reset_mask: None")
        if seed is not None:
            self._reseed(*self._streams(seed), tuple(arrays.values()))
        elif mask is not None:
            which = np.ascontiguousarray(mask)
            if which.dtype != np.bool_ or which.shape != (self.num_envs,):
                raise ValueError(f"reset_mask: {which.dtype} of shape {which.shape}; needed: bool of ({self.num_envs},)")
            self._native.reset(which, tuple(arrays.values()))
        elif self._has_shown:
            self._native.reset(np.ones(self.num_envs, np.bool_), tuple(arrays.values()))
        else:
            self._native.show(tuple(arrays.values()))
        self._has_begun = self._has_shown = True
        self._is_interrupted = False
        self._let_policies_play(arrays)
        self._written(arrays)
        return arrays["obs"], self._info(arrays)

    def _reseed(self, seeds: Array, numbers: Array, arrays: tuple[Array, ...]) -> None:
        if isinstance(self._native, Mixture):
            self._start(seeds, numbers)
            self._native.show(arrays)
        else:
            self._policy_seeds = np.random.default_rng([int(seeds[0]), 1])
            self._native.reseed(seeds, numbers, arrays)

    def _let_policies_play(self, arrays: dict[str, Array]) -> None:
        """Calls the Python policies until every row is a decision of the learner."""
        if self._players is None or not self._players.policies:
            return
        given = tuple(arrays.values())
        self._is_asking_policies = True
        try:
            while ((waiting := self._native.waiting()) >= 0).any():
                actions = np.full(self.num_envs, -1, np.int64)
                for number in np.unique(waiting[waiting >= 0]):
                    rows = np.flatnonzero(waiting == number)
                    obs, mask = arrays["obs"][rows], arrays["action_mask"][rows]
                    actions[rows] = self._players.ask(int(number), obs, mask, self._policy_info(arrays, rows))
                wrong = self._native.continue_games(actions, given)
                if wrong is not None:
                    raise RuntimeError(f"environment {wrong}: the action {actions[wrong]} of a policy is not legal")
        except BaseException:
            self._is_interrupted = True
            raise
        finally:
            self._is_asking_policies = False

    def _policy_info(self, arrays: Mapping[str, Array], rows: Array) -> dict[str, Any]:
        """The `info` that a policy receives for its decisions in these rows."""
        info: dict[str, Any] = {name: arrays[name][rows] for name in ("legal", "num_legal", "to_play")}
        info["seed"] = self._policy_seeds.integers(2**64, size=len(rows), dtype=np.uint64)
        return info | self._table_info

    @functools.cached_property
    def _table_info(self) -> dict[str, Any]:
        """The information on the table that policies receive; empty if there are several tables."""
        spec = self.spec
        return {} if len(self.tables) > 1 else {name: spec[name] for name in ("variant", "seats", "rules_hash")}

    @_alone
    def round(self, env: int) -> Round:
        """Returns the current round of a row, with all hands. Playing it does not change the environment.

        Raises:
            ValueError: players have been eliminated from the match of the row.
        """
        self._check_open()
        return Round._of(self._native.round(_check.natural("env", env, 0, self.num_envs - 1)))

    @_alone
    def state(self) -> dict[str, Any]:
        """Returns the games of all rows, for `restore`. The contents can be pickled."""
        self._check_open()
        can_continue = self._has_begun and not self._is_interrupted and not self._is_asking_policies
        return {
            "spec_hash": self.spec_hash,
            "games": self._native.state(),
            "tables": self._native.table_of_row.tolist() if isinstance(self._native, Mixture) else None,
            "policy_seeds": self._policy_seeds.bit_generator.state,
            "begun": (can_continue, self._has_shown),
        }

    @_alone
    def restore(self, state: Mapping[str, Any]) -> tuple[Array, Info]:
        """Restores the games that `state()` returned for an environment with the same spec. Returns the observations and the info
        of its last step, except `final_obs`, which is zero.

        Raises:
            ValueError: the state is not of an environment with this spec and number of rows. Nothing has changed.
        """
        self._check_not_asking()
        arrays = self._arrays(None)
        saved = _check.mapping("state", state)
        if saved.get("spec_hash") != self.spec_hash:
            raise ValueError("state: another spec_hash; needed: the state of an environment with the same arguments")
        missing = {"games", "tables", "policy_seeds", "begun"} - set(saved)
        if missing:
            raise ValueError(f"state: {', '.join(sorted(missing))}: missing; needed: what `state()` returned")
        native, policy_seeds = self._native, np.random.default_rng()
        try:
            has_begun, has_shown = saved["begun"]
            policy_seeds.bit_generator.state = saved["policy_seeds"]
            if isinstance(native, Mixture):
                drawn = np.array(saved["tables"], np.int16)
                if drawn.shape != (self.num_envs,):
                    raise ValueError(f"state: {drawn.size} games for {self.num_envs} environments")
                numbers = np.zeros(self.num_envs, np.uint64)
                native = Mixture(self.tables, drawn, numbers, numbers, self._make)
            native.restore(*saved["games"])
        except (KeyError, OverflowError, TypeError) as error:
            raise ValueError(f"state: {error}; needed: what `state()` returned") from None
        self._native, self._policy_seeds = native, policy_seeds
        for name in ("rewards", "learner_reward", "terminated", "truncated", "final_obs"):
            arrays[name].fill(0)
        self._native.show(tuple(arrays.values()))
        self._has_begun, self._has_shown = has_begun, has_shown
        self._is_interrupted = False
        self._written(arrays)
        return arrays["obs"], self._info(arrays)

    def __copy__(self) -> VecEnv:
        return _restore(self._remake, None if self._is_closed else self.state())

    def __deepcopy__(self, memo: object) -> VecEnv:
        return self.__copy__()

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self._remake, None if self._is_closed else self.state())

    def step(
        self, actions: npt.ArrayLike, *, out: Mapping[str, Array] | None = None
    ) -> tuple[Array, Array, Array, Array, Info]:
        """Plays one action in every environment.

        Args:
            actions: one id for each environment, integers.
            out: arrays to write to, by name. For missing names, the environment's own arrays are used.

        Raises:
            IllegalAction: an action is not legal. No environment has changed.
        """
        return self._step(actions, out=out)

    def _step(
        self, actions: npt.ArrayLike, *, loses: bool = False, out: Mapping[str, Array] | None = None
    ) -> tuple[Array, Array, Array, Array, Info]:
        """`step`; if `loses`, an illegal action loses its game."""
        given, ids = _ids(actions)
        if given.shape != (self.num_envs,):
            raise ValueError(f"actions: shape {given.shape}; needed: ({self.num_envs},)")
        arrays = self._arrays(out)
        self._advance(ids, given, loses, arrays)
        return arrays["obs"], arrays["rewards"], arrays["terminated"], arrays["truncated"], self._info(arrays)

    def _advance(self, ids: npt.NDArray[np.int64], given: Array, loses: bool, arrays: dict[str, Array]) -> None:
        """Plays these ids and writes the arrays. Error messages show the actions as given by the caller."""
        self._take()
        try:
            self._check_not_asking()
            self._check_open()
            self._check_begun()
            wrong = self._native.step(ids, loses, tuple(arrays.values()))
            if wrong is not None:
                env, seat, _, legal = wrong
                raise illegal(env, seat, int(given[env]), legal, self.action_names)
            self._let_policies_play(arrays)
            self._written(arrays)
        finally:
            self._lock.release()

    def _reset_row(self) -> tuple[Array, Info] | None:
        """`reset` without a seed for a single row, with new arrays, in the form of Gymnasium. Returns None, and deals nothing, if only
        `reset` can deal.
        """
        if not (self._has_begun and self._has_direct_steps):
            return None
        self._take()
        try:
            return self._native.reset_row()  # type: ignore[union-attr]
        finally:
            self._lock.release()

    def _step_row(self, action: Any, loses: bool) -> tuple[Array, float, bool, bool, Info] | None:
        """`_step` for a single row, with new arrays, in the form of Gymnasium. Returns None, and plays nothing, if only `_step`
        can play the action or report the error.
        """
        if not (self._has_begun and self._has_direct_steps):
            return None
        if not self._lock.acquire(False):  # as in `_take`, without the time of a call
            raise _in_use()
        try:
            return self._native.step_row(action, loses)  # type: ignore[union-attr]
        finally:
            self._lock.release()

    @_alone
    def _show(self) -> dict[str, Array]:
        """Writes the current rows into the environment's own arrays."""
        arrays = self._arrays(None)
        self._native.show(tuple(arrays.values()))
        return arrays

    def _take(self) -> None:
        """Acquires the lock of the environment."""
        if not self._lock.acquire(False):
            raise _in_use()

    @_alone
    def sample(self, seed: int | None = None) -> npt.NDArray[np.int32]:
        """A random legal action for every environment, each equally likely. With a seed, the result is reproducible."""
        self._check_open()
        self._check_begun()
        return self._native.sample(
            self._last["legal"], self._last["num_legal"], None if seed is None else _check.natural("seed", seed)
        )

    @_alone
    def close(self) -> None:
        """Releases the games and the arrays. After that, `step` raises an error."""
        self._check_not_asking()
        if not self._is_closed:
            self._is_closed, self._has_begun = True, False
            del self._native, self._own, self._last

    def __enter__(self) -> VecEnv:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"VecEnv({self.variant!r}, seats={self.seats}, num_envs={self.num_envs})"

    def _check_open(self) -> None:
        if self._is_closed:
            raise RuntimeError("the environment is closed")

    def _check_begun(self) -> None:
        if self._is_interrupted:
            raise RuntimeError("a policy raised an exception, so the games cannot be continued; needed: reset()")
        if not self._has_begun:
            raise RuntimeError("reset() has not been called yet")

    def _check_not_asking(self) -> None:
        if self._is_asking_policies:
            raise RuntimeError("a policy is choosing an action in this environment; until then, its games cannot be changed")

    def _arrays(self, out: Mapping[str, Array] | None) -> dict[str, Array]:
        """The arrays to write to."""
        self._check_open()
        out = _check.mapping("out", out)
        if not out:
            return self._own
        unknown = set(out) - set(_OUT)
        if unknown:
            raise ValueError(f"out: {', '.join(sorted(map(repr, unknown)))}: not known; allowed: {', '.join(_OUT)}")
        for name, array in out.items():
            own = self._own[name]
            if not isinstance(array, np.ndarray) or array.dtype != own.dtype or array.shape != own.shape:
                raise ValueError(f"out[{name!r}]: needed: an array of {own.dtype} of shape {own.shape}")
            if not (array.flags.c_contiguous and array.flags.writeable):
                raise ValueError(f"out[{name!r}]: needed: a writable C-contiguous array")
        arrays = self._own | dict(out)
        every = list(arrays.values())
        if any(np.shares_memory(a, b) for i, a in enumerate(every) for b in every[:i]):
            raise ValueError("out: two of the arrays share memory")
        return arrays

    def _written(self, arrays: dict[str, Array]) -> None:
        """Sets the arrays that `sample` reads from now on."""
        own, last = self._own["final_obs"], self._last["final_obs"]
        final, self._last = arrays["final_obs"], arrays
        if final is not own or last is not own:
            # A step clears only the rows that the previous step filled. Here the previous step filled a different array.
            final[~(arrays["terminated"] | arrays["truncated"])] = 0

    def _info(self, arrays: dict[str, Array]) -> Info:
        info = {name: arrays[name] for name in ("action_mask", "to_play", "legal", "num_legal")}
        if self.autoreset == "same_step":
            info["final_obs"] = arrays["final_obs"]
        if self._players is not None:
            info["learner_reward"] = arrays["learner_reward"]
        if self._outputs == "full":
            info["full_obs"] = arrays["full_obs"]
        if isinstance(self._native, Mixture):
            info["table"] = self._native.table_of_row
        return info


def _in_use() -> RuntimeError:
    return RuntimeError("another thread is using the environment; needed: one environment per thread")


def _seeds(seed: Any) -> int | list[int]:
    """A seed, or a list with one seed per row."""
    given = seed.tolist() if isinstance(seed, np.ndarray) else seed
    if isinstance(given, Sequence) and not isinstance(given, str):
        return [_check.natural("seed", each) for each in given]
    return _check.natural("seed", given)


def _ids(actions: npt.ArrayLike) -> tuple[Array, npt.NDArray[np.int64]]:
    """The actions as given, and as 64-bit ids. A number that does not fit is replaced by an illegal id."""
    given = np.asarray(actions)
    if given.dtype.kind == "O" and all(isinstance(action, (int, np.integer)) for action in given.flat):
        return given, np.array([action if abs(int(action)) < 2**63 else -1 for action in given.flat], np.int64)
    if given.dtype.kind not in "iu":
        raise TypeError(f"actions: {given.dtype}; needed: integers")
    if given.dtype == np.uint64:
        return given, np.minimum(given, np.uint64(2**63 - 1)).astype(np.int64)
    return given, np.ascontiguousarray(given, np.int64)


def _restore(make: functools.partial[VecEnv], state: dict[str, Any] | None) -> VecEnv:
    """The environment in this state; a closed environment if the state is None."""
    env = make()
    if state is None:
        env.close()
    else:
        env.restore(state)
    return env
