"""The review of a stored game: a file in the folder of the game, with a version of its own.

The table writes it after every few searches; the page shows as much as there is. Squares and
colours are those of `web.contract.page`; a side is an index in `Page.sides`.
"""

from dataclasses import dataclass
from typing import ClassVar, Self

from firmware.codes import PlayerFailure
from web.contract.arbiter_page import MoveReasonEntry
from web.contract.codes import Square
from web.contract.schema import JsonMessage, read, require, table_of


@dataclass(frozen=True, slots=True)
class ReviewedEntry:
    """A placement of the game.

    Attributes:
        ply: its number.
        colour: its colour.
        side: the side that laid the piece.
        squares: squares that it covers.
        before: chance of that side before it, 0 to 1; None if it is not known.
        after: the same after it.
        points_lost: expected points that it cost; None if that is not known.
    """

    ply: int
    colour: int
    side: int
    squares: tuple[Square, ...]
    before: float | None
    after: float | None
    points_lost: float | None


@dataclass(frozen=True, slots=True)
class MomentEntry:
    """A placement that cost much.

    Attributes:
        at: its place in the list of placements.
        piece: name of the piece of the better move.
        better: squares of the better move.
        accepted: squares of each move that counts as right; the better one is among them.
        reasons: reasons for the better move.
        could_have_won: True if it is proved that the better move wins and the played one does not.
    """

    at: int
    piece: str
    better: tuple[Square, ...]
    accepted: tuple[tuple[Square, ...], ...]
    reasons: tuple[MoveReasonEntry, ...]
    could_have_won: bool


@dataclass(frozen=True, slots=True)
class TurningEntry:
    """The last change of leader, which held to the end.

    Attributes:
        at: number of placements before it, 0 if the leader led from the beginning.
        side: the new leader.
        before: the leader before; None if nobody led.
    """

    at: int
    side: int
    before: int | None


@dataclass(frozen=True, slots=True)
class PieceLifeEntry:
    """A piece that was left over.

    Attributes:
        colour: its colour.
        piece: its name.
        ply: number of the placement that took its last place, 0 if it never had one; None if it
            has a place at the end.
        taken_by: colour of that placement; None if the pieces were set by hand.
    """

    colour: int
    piece: str
    ply: int | None
    taken_by: int | None


@dataclass(frozen=True, slots=True)
class StoredReview(JsonMessage):
    """The review of a stored game, as far as it is computed.

    Attributes:
        course: digest of the placements that it is about.
        moves: the placements, oldest first.
        chances: for each position, the first one included, the chance of each side; None where it
            is not known.
        mobility: for each position the number of placements of each colour.
        moments: the largest losses, the largest first.
        turning: the turning point; None if there is none.
        lives: the pieces left over.
        points_a_move: for each side the mean of the points lost by its moves; None if unknown.
        searched: number of positions that were searched.
        to_search: number of positions that are searched altogether.
        complete: True if nothing is left to search.
        failure: reason for which nothing is searched now; None if there is none.

    Raises:
        ContractError: fields contradict each other.
    """

    version: ClassVar[int] = 1
    """Version of the file; the table computes a review of another version anew."""
    course: str
    moves: tuple[ReviewedEntry, ...]
    chances: tuple[tuple[float | None, ...], ...]
    mobility: tuple[tuple[int, ...], ...]
    moments: tuple[MomentEntry, ...]
    turning: TurningEntry | None
    lives: tuple[PieceLifeEntry, ...]
    points_a_move: tuple[float | None, ...]
    searched: int
    to_search: int
    complete: bool
    failure: PlayerFailure | None

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Parses the review from JSON, without the searches that earlier programs stored in it.

        Raises:
            OtherVersionError: it is of another version.
            ContractError: the text is not of this form.
        """
        table = table_of(text, cls.version)
        table.pop("searches", None)
        review: Self = read(cls, table, cls.__name__)
        return review

    def __post_init__(self) -> None:
        positions = len(self.moves) + 1
        require(len(self.chances) == positions, "there are chances of each position")
        require(len(self.mobility) == positions, "there are numbers of each position")
        sides, colours = len(self.points_a_move), len(self.mobility[0])
        require(all(len(row) == sides for row in self.chances), "each side has a chance")
        require(all(len(row) == colours for row in self.mobility), "each colour has a number")
        for moment in self.moments:
            require(0 <= moment.at < len(self.moves), "a moment is one of the placements")
        named_colours = [one.colour for one in self.moves] + [one.colour for one in self.lives]
        require(all(0 <= one < colours for one in named_colours), "there is such a color")
        named = [one.side for one in self.moves]
        if self.turning is not None:
            require(0 <= self.turning.at < positions, "the turning point is in the game")
            named += [self.turning.side, self.turning.before or 0]
        require(all(0 <= side < sides for side in named), "there is such a side")
