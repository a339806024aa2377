"""What the events of a game add up to.

`fold` turns a game and an event into the game after it: the same function live and after a
restart.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from firmware.events import (
    Candidate,
    Disturbed,
    Event,
    GameOver,
    Illegal,
    Moved,
    Passed,
    Patch,
    Resolved,
    Restored,
    Standing,
    Undone,
    Unsure,
    Withdrawn,
)
from firmware.rules.errors import IllegalMoveError
from firmware.rules.games import Colour, Edition
from firmware.rules.placements import Move
from firmware.rules.position import Position


@dataclass(frozen=True, slots=True)
class Ply:
    """An accepted move and whose it was."""

    colour: Colour
    move: Move


@dataclass(frozen=True, slots=True)
class GameState:
    """What the events of a game add up to.

    Attributes:
        position: the accepted position.
        history: the moves accepted since the game was taken up, oldest first.
        refused: the pieces that lie on the board and were refused.
        passed: the colours whose pass was told and still holds.
        disturbed: the accepted pieces that are not as they were accepted.
        candidates: what may have happened, while nobody can tell.
        over: whether the game's end was told and still holds.
        turned: the clockwise turn from the reader's frame to the game's, once known.
        edition: names of the colours in the order of play, once known.
    """

    position: Position
    history: tuple[Ply, ...] = ()
    refused: tuple[Illegal, ...] = ()
    passed: frozenset[Colour] = frozenset()
    disturbed: tuple[Patch, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    over: bool = False
    turned: int | None = None
    edition: Edition | None = None

    @property
    def plies(self) -> int:
        """How many pieces were accepted, those of the first position included."""
        return sum(len(laid) for laid in self.position.laid)


def _others(state: GameState, event: Illegal | Withdrawn | Moved) -> tuple[Illegal, ...]:
    """The refused pieces less those of the colour: a colour has one refused thing at a time."""
    return tuple(one for one in state.refused if one.colour != event.colour)


def _after_move(state: GameState, event: Moved) -> GameState:
    position = state.position
    if event.colour != position.to_move:
        raise IllegalMoveError(f"{event.move} cannot follow: it is another colour's turn")
    return replace(
        state,
        position=position.play(event.move),
        history=(*state.history, Ply(event.colour, event.move)),
        refused=_others(state, event),
        turned=state.turned if event.turned is None else event.turned,
        edition=event.edition or state.edition,
    )


def _after_undoing(state: GameState, event: Undone) -> GameState:
    position = state.position.lift(event.move, event.colour).with_turn(event.colour)
    return replace(
        state,
        position=position,
        history=state.history[:-1],
        passed=frozenset(colour for colour in state.passed if not position.moves_of(colour)),
        over=False,
    )


_STEPS: Final[dict[type[Event], Callable[[GameState, Any], GameState]]] = {
    Standing: lambda state, event: replace(
        state, position=event.position, turned=event.turned, edition=event.edition
    ),
    Moved: _after_move,
    Undone: _after_undoing,
    Illegal: lambda state, event: replace(state, refused=(*_others(state, event), event)),
    Withdrawn: lambda state, event: replace(state, refused=_others(state, event)),
    Disturbed: lambda state, event: replace(state, disturbed=event.expected),
    Restored: lambda state, _: replace(state, disturbed=()),
    Unsure: lambda state, event: replace(state, candidates=event.candidates),
    Resolved: lambda state, _: replace(state, candidates=()),
    Passed: lambda state, event: replace(state, passed=state.passed | {event.colour}),
    GameOver: lambda state, _: replace(state, over=True),
}
"""What an event changes; those that are missing change nothing in the game."""


def fold(state: GameState, event: Event) -> GameState:
    """The game after an event.

    Raises:
        IllegalMoveError: the event cannot follow: its move is not legal, or was never made.
    """
    step = _STEPS.get(type(event))
    return state if step is None else step(state, event)
