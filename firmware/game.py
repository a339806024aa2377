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
        astray: what is seen instead of them.
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
    astray: tuple[Patch, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    over: bool = False
    turned: int | None = None
    edition: Edition | None = None

    @property
    def plies(self) -> int:
        """How many pieces were accepted, those of the first position included."""
        return sum(len(laid) for laid in self.position.laid)


def _others(state: GameState, event: Illegal | Withdrawn) -> tuple[Illegal, ...]:
    """The refused pieces less those of the colour: a colour has one refused thing at a time."""
    return tuple(one for one in state.refused if one.colour != event.colour)


def retold(
    one: Illegal, position: Position, turned: int, edition: Edition, *, settled: bool
) -> Illegal:
    """A refused piece in another frame than it was told in, with the rules it breaks there.

    Args:
        one: the refused piece.
        position: what is accepted.
        turned: the clockwise turn from the reader's frame to the new one.
        edition: names of the colours in the new order.
        settled: whether these are those of the game.
    """
    if one.told_in is None:
        return one
    before, names = one.told_in
    quarters = (turned - before) // 90
    squares = tuple(sorted(position.board.turn(square, quarters) for square in one.squares))
    colour = edition.index(names[one.colour])
    return replace(
        one,
        colour=colour,
        squares=squares,
        breaches=position.examine(squares, colour),
        told_in=None if settled else (turned, edition),
    )


def _after_move(state: GameState, event: Moved) -> GameState:
    position = state.position
    if event.colour != position.to_move:
        raise IllegalMoveError(f"{event.move} cannot follow: it is another colour's turn")
    after = position.play(event.move)
    turned = state.turned if event.turned is None else event.turned
    edition = event.edition or state.edition
    refused = state.refused
    if turned is not None and edition is not None:
        refused = tuple(retold(one, after, turned, edition, settled=True) for one in refused)
    return replace(
        state,
        position=after,
        history=(*state.history, Ply(event.colour, event.move)),
        refused=tuple(one for one in refused if one.colour != event.colour),
        turned=turned,
        edition=edition,
    )


def _after_refusal(state: GameState, event: Illegal) -> GameState:
    turned = state.turned if event.turned is None else event.turned
    return replace(state, refused=(*_others(state, event), event), turned=turned)


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
    Illegal: _after_refusal,
    Withdrawn: lambda state, event: replace(state, refused=_others(state, event)),
    Disturbed: lambda state, event: replace(state, disturbed=event.expected, astray=event.seen),
    Restored: lambda state, _: replace(state, disturbed=(), astray=()),
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
