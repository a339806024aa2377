"""Sentences on events for a person at the terminal, with the names of the players.

Rules and moves are put in the words of the score page.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from firmware.codes import Rule
from firmware.commands.board_text import square_names
from firmware.game.events import (
    ArbiterCalled,
    BoardFound,
    BoardLost,
    BoardMoved,
    CallEnded,
    CameraAway,
    CameraBack,
    ComputerMove,
    ComputerPreparing,
    ComputerReady,
    Dismissed,
    Disturbed,
    EndedByArbiter,
    Event,
    GameBegun,
    Hinted,
    LightChanged,
    MatchBegun,
    MoveAccepted,
    MoveRefused,
    NoMovesLeft,
    Overruled,
    Passed,
    Paused,
    PositionSet,
    ProvisionalFrame,
    Resigned,
    Resolved,
    Restored,
    ResultConfirmed,
    ResultDisputed,
    Resumed,
    SeatsAssigned,
    Solved,
    TimedOut,
    ToLift,
    Undone,
    Unsure,
    Withdrawn,
)
from firmware.game.levels import LEVELS
from firmware.game.seating import colours_of, person_of
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import Colour, Edition
from firmware.rules.violations import Violation
from web.i18n.wording import Wording

_ENGLISH: Final = Wording()
"""The texts of the page in English, which the terminal shares."""


@dataclass(frozen=True, slots=True)
class TableNames:
    """Names of the people, colours and squares of a game.

    Attributes:
        position: the position on the board.
        edition: names of the colours in the order of play.
        people: names of the people in the order of play; empty if they are unknown.
        computer: level of the computer for each of them, 0 for a human being; empty if nobody is.
    """

    position: Position
    edition: Edition
    people: tuple[str, ...] = ()
    computer: tuple[int, ...] = ()

    def level(self, colour: Colour) -> int:
        """Returns the level of the computer that plays a colour; 0 for a human being."""
        return self.computer[person_of(self.position, colour)] if any(self.computer) else 0

    def colour(
        self,
        colour: Colour,
        provisional: ProvisionalFrame | None = None,
        move: Move | None = None,
    ) -> str:
        """Returns the name of a colour, and of the person who plays it if both are known.

        Args:
            colour: the colour.
            provisional: frame of the colour, if that of the game is unknown.
            move: a piece of the colour on the board, for the person who has laid it.
        """
        if provisional is not None:
            return provisional[1][colour]
        name = self.edition[colour]
        person = person_of(self.position, colour, move)
        return f"{self.people[person]} ({name})" if person < len(self.people) else name

    def colours(self, colours: Iterable[Colour]) -> str:
        """Returns the names of colours and their people."""
        return " and ".join(map(self.colour, colours))

    def squares(self, squares: Iterable[int]) -> str:
        """Returns the names of squares, in the order of game records."""
        return ",".join(square_names(self.position.board, tuple(squares)))


def event_sentence(event: Event, names: TableNames) -> str:
    """Returns a clause on an event; empty for one that nobody needs to know of.

    Args:
        event: the event.
        names: names of people, colours and squares.
    """
    clause = _CLAUSES.get(type(event))
    return "" if clause is None else clause(event, names)


def _laid(event: MoveAccepted | Overruled, names: TableNames) -> str:
    squares = names.squares(event.move.squares)
    colour, piece = names.colour(event.colour, move=event.move), event.move.piece.name
    return _ENGLISH.say("laid", colour=colour, piece=piece, squares=squares)


def _refused(event: MoveRefused, names: TableNames) -> str:
    colour = names.colour(event.colour, event.provisional_frame)
    reasons = "; ".join(_reason(one, event, names) for one in event.violations)
    return f"{colour} lays a piece at {names.squares(event.squares)}: refused; {reasons}"


def _reason(one: Violation, event: MoveRefused, names: TableNames) -> str:
    """Returns a clause on one broken rule."""
    if clause := _puzzle_reason(one, names):
        return clause
    to_move = names.position.to_move
    edition = event.provisional_frame[1] if event.provisional_frame else names.edition
    return _ENGLISH.say(
        f"rules.{one.rule}",
        piece="it",
        colour=edition[event.colour],
        turn="nobody" if to_move is None else names.colour(to_move),
        squares=names.squares(one.squares),
        against=names.squares(one.against),
    )


def _puzzle_reason(one: Violation, names: TableNames) -> str:
    """Returns a clause on a broken rule that only puzzles have; empty for another one."""
    position, puzzle = names.position, names.position.game.puzzle
    if puzzle is None:
        return ""
    if one.rule is Rule.OUTSIDE_FIELD:
        field = f"{puzzle.columns}x{puzzle.rows}"
        return f"it lies outside the field of {field} squares at {names.squares(one.squares)}"
    if one.rule is Rule.WRONG_SIZE and puzzle.by_size:
        return f"larger pieces come first: now those of {position.largest_in_hand} squares"
    if one.rule is Rule.WRONG_SIZE:
        return f"the pieces of this puzzle have {max(puzzle.sizes)} squares"
    return ""


def _position_set(event: PositionSet, names: TableNames) -> str:
    count = sum(map(len, event.position.laid))
    colours = event.possible_turns
    if names.position.game.puzzle is not None:
        colours = ()
    elif colours is None:
        colours = () if event.position.to_move is None else (event.position.to_move,)
    turn = f"; it is the turn of {' or '.join(map(names.colour, colours))}" if colours else ""
    return f"the position on the board counts, with {count} pieces{turn}"


def _unsure(event: Unsure, names: TableNames) -> str:
    squares = {square for one in event.candidates for square in one.move.squares}
    squares.update(square for one in event.unclear for square in one.squares)
    where = f" at {names.squares(sorted(squares))}" if squares else ""
    return f"not sure what lies{where}; put it straight, or answer on a paired phone"


def _disturbed(event: Disturbed, names: TableNames) -> str:
    moved = ", ".join(names.squares(one.squares) for one in event.expected)
    if not moved:
        return "something lies on the board that does not belong there; take it away"
    return f"pieces have moved; put them back to {moved}"


def _over(event: NoMovesLeft, names: TableNames) -> str:
    points = ", ".join(
        f"{names.colour(colour)} {points}"
        for colour, points in enumerate(event.points)
        if points is not None
    )
    return f"the game is over: {points}"


def _begun(event: GameBegun, names: TableNames) -> str:
    if names.position.game.puzzle is not None:
        return "a new puzzle begins"
    return f"a new game begins: {event.begins or 'the first piece decides who is first'}"


def _assigned(event: SeatsAssigned, names: TableNames) -> str:
    """Returns a clause on the seats that the computer plays from now on."""
    if event.failure is not None:
        detail = _ENGLISH.say(f"hint-failures.{event.failure}")
        return _ENGLISH.say("gave-up", detail=detail)
    game = names.position.game
    seats = [
        f"{names.colours(colours_of(game, person))} ({LEVELS[level - 1]})"
        for person, level in enumerate(event.levels)
        if level
    ]
    return f"the computer plays {' and '.join(seats)}" if seats else "people play all seats"


def _chosen(event: ComputerMove, names: TableNames) -> str:
    level = names.level(event.colour)
    who = f"the computer ({LEVELS[level - 1]})" if level else "the computer"
    squares = names.squares(event.move.squares)
    return f"{who} lays {names.edition[event.colour]} {event.move.piece.name} at {squares}"


_CLAUSES: Final[dict[type[Event], Callable[[Any, TableNames], str]]] = {
    BoardFound: lambda _, __: "the board is found",
    BoardLost: lambda event, _: _ENGLISH.say("board-lost-why", detail=event.reason),
    BoardMoved: lambda event, _: (
        "the board or the camera was moved" if event.turned is None else "the board was turned"
    ),
    LightChanged: lambda _, __: "the light has changed",
    CameraAway: lambda event, _: _ENGLISH.say("camera-away-why", detail=event.reason),
    CameraBack: lambda _, __: "the camera gives pictures again",
    GameBegun: _begun,
    PositionSet: _position_set,
    MoveAccepted: _laid,
    MoveRefused: _refused,
    Withdrawn: lambda event, names: (
        f"{names.colour(event.colour, event.provisional_frame)} takes the piece back from "
        f"{names.squares(event.squares)}"
    ),
    Overruled: lambda event, names: _ENGLISH.say("overruled", move=_laid(event, names)),
    Dismissed: lambda event, names: (
        f"the arbiter says that no piece lies at {names.squares(event.squares)}"
    ),
    ToLift: lambda event, names: (
        f"the piece of {names.colour(event.colour, event.provisional_frame)} does not count; lift "
        f"it from {names.squares(event.squares)}"
    ),
    Undone: lambda event, names: (
        f"{names.colour(event.colour)} takes {event.move.piece.name} back from "
        f"{names.squares(event.move.squares)}"
    ),
    Disturbed: _disturbed,
    Restored: lambda _, __: "all pieces lie where they belong again",
    Unsure: _unsure,
    Resolved: lambda _, __: "that question is settled",
    Passed: lambda event, names: _ENGLISH.say("out", colour=names.colour(event.colour)),
    NoMovesLeft: _over,
    Solved: lambda _, __: "the puzzle is solved",
    Hinted: lambda event, names: f"a hint is shown to {names.colour(event.colour)}",
    Paused: lambda _, __: "the arbiter has paused the game",
    Resumed: lambda _, __: "the game goes on",
    Resigned: lambda event, names: _ENGLISH.say("resigned", colours=names.colours(event.colours)),
    TimedOut: lambda event, names: _ENGLISH.say("time-out", colours=names.colours(event.colours)),
    EndedByArbiter: lambda _, __: "the arbiter has ended the game",
    SeatsAssigned: _assigned,
    ComputerPreparing: lambda _, __: "the computer's player gets ready",
    ComputerReady: lambda _, __: "the computer's player is ready",
    ComputerMove: _chosen,
    MatchBegun: lambda event, _: f"this is match {event.match} of round {event.round}",
    ArbiterCalled: lambda _, __: "somebody at the table calls the arbiter",
    CallEnded: lambda _, __: "the call of the arbiter has ended",
    ResultConfirmed: lambda event, _: f"side {event.side + 1} confirms the result",
    ResultDisputed: lambda event, _: f"side {event.side + 1} disputes the result: {event.sentence}",
}
"""Clause on each kind of event; others, as a hand over the board, need none."""
