"""A recorded game from its first to its last position, as a review looks at it."""

from collections.abc import Sequence
from dataclasses import dataclass

from firmware.codes import Scoring
from firmware.records.record import Record
from firmware.records.replay import Entry, ReplayedMove, ReplayedSetup
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.scoring import score
from firmware.rules.variants import Colour


@dataclass(frozen=True, slots=True)
class CoursePly:
    """A placement of the game.

    Attributes:
        number: its number in the record, from 1.
        colour: colour of the piece.
        move: the placement.
        before: the position before it.
        after: the position after it; pieces may be set by hand before the next placement.
    """

    number: int
    colour: Colour
    move: Move
    before: Position
    after: Position

    @property
    def is_legal(self) -> bool:
        """True if it breaks no rule, so that the player can search it."""
        return self.before.is_legal(self.move, self.colour)


@dataclass(frozen=True, slots=True)
class Course:
    """The placements of a game, whether it was finished or not.

    Attributes:
        plies: the placements, oldest first.
        final: the last position.
        scoring: the scoring that decides the winner.
    """

    plies: tuple[CoursePly, ...]
    final: Position
    scoring: Scoring = Scoring.ADVANCED

    @property
    def positions(self) -> tuple[Position, ...]:
        """The position before each placement, and the last one."""
        return (*(ply.before for ply in self.plies), self.final)

    def side_at(self, at: int) -> int | None:
        """The side that moves in a position, by its index in `positions`; None at the end."""
        return self.positions[at].next_side

    def shares(self) -> tuple[float, ...] | None:
        """The share of the other sides that each side beats, 0 to 1; None in an unfinished game.

        Equal sides count half.
        """
        if not self.final.is_over:
            return None
        sides = score(self.final).sides
        basic = self.scoring is Scoring.BASIC
        points = [-side.basic if basic else side.advanced for side in sides]
        others = len(points) - 1
        return tuple(
            sum((one > other) + (one == other) / 2 for j, other in enumerate(points) if j != i)
            / others
            for i, one in enumerate(points)
        )


def course_of(record: Record, entries: Sequence[Entry]) -> Course:
    """The placements of a replayed record; squares that are no piece are left out.

    Args:
        record: the record of a game.
        entries: its replay.
    """
    plies = tuple(
        CoursePly(entry.number, entry.played.colour, entry.move, entry.before, entry.after)
        for entry in entries
        if isinstance(entry, ReplayedMove) and entry.move is not None
    )
    changes = (one for one in entries if isinstance(one, ReplayedMove | ReplayedSetup))
    final = Position.start(record.game)
    for change in changes:
        final = change.after
    return Course(plies, final, record.scoring)
