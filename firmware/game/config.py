"""The terms of a game: one type for settings, the arbiter's command and the journal."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, TypeVar

from firmware.codec import Codec, Form
from firmware.codes import HintAmount, Scoring, Takeback, Timing, TurnEnd
from firmware.game.clock import TimeControl
from firmware.game.levels import MOST_LEVEL
from firmware.game.seating import usual_seats
from firmware.rules.errors import NotationError
from firmware.rules.variants import VARIANTS, Edition, Variant, default_edition, parse_edition

Item = TypeVar("Item")

HUMAN: Final = 0
"""Level of a seat at which a human being plays; the computer's begin at 1."""

_SEATS: Final = 4
"""Seats at the table: one at each edge of the board."""


def usual_takeback(game: Variant) -> Takeback:
    """Returns the usual deadline of a game or a puzzle."""
    return Takeback.UNTIL_NEXT_MOVE if game.puzzle is None else Takeback.ANY


@dataclass(frozen=True, slots=True)
class GameConfig:
    """The terms of a game.

    Attributes:
        game: the game that is played, with its shared colour.
        edition: names of the colours of plastic; None if the camera has to find them.
        first: name of the colour that begins; None if the first piece decides it.
        names: names of the people in the order of play; none, or one for each.
        seats: edge of the board of each person, 0 bottom, 1 right, 2 top, 3 left; none for the
            default ones.
        scoring: the scoring that decides the winner.
        takeback: deadline for lifting an accepted piece.
        turn_end: end of a turn.
        pace: time control.
        hints: number of hints of each person.
        hint_amount: part of a hint that each person may be shown, in the order of play; none for
            everything.
        computer: level of the computer for each person in the order of play, 0 for a human being;
            none if the computer plays nobody. See `firmware.game.levels`.
        seed: seed of the computer's choices; 0 to draw one when the game begins.
        begins: name of the colour that is expected to begin, said as the game begins; the first
            piece decides unless `first` does. None if nobody is.

    Raises:
        NotationError: the terms contradict each other.
    """

    game: Variant
    edition: Edition | None = None
    first: str | None = None
    names: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    scoring: Scoring = Scoring.ADVANCED
    takeback: Takeback = Takeback.UNTIL_NEXT_MOVE
    turn_end: TurnEnd = TurnEnd.ITSELF
    pace: TimeControl = field(default_factory=TimeControl)
    hints: int = 0
    begins: str | None = None
    hint_amount: tuple[HintAmount, ...] = ()
    computer: tuple[int, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        game, colours = self.game, len(self.game.colours)
        if self.edition is not None and len(self.edition) != colours:
            raise NotationError(
                f"{game.title} has {colours} colours; {'-'.join(self.edition)} has "
                f"{len(self.edition)}"
            )
        for colour in (self.first, self.begins):
            if colour is not None and colour not in self._may_begin:
                names = " or ".join(self._may_begin)
                raise NotationError(f"in {game.title} {names} begins, not {colour!r}")
        if game.puzzle is None and self.takeback is Takeback.ANY:
            raise NotationError(f"takeback {Takeback.ANY} is for puzzles, not for {game.title}")
        if game.puzzle is not None and self.pace.is_timed:
            raise NotationError(f"{game.title} is a puzzle, which has no clock of turns")
        if len(self.names) not in (0, game.people):
            raise NotationError(f"{game.title} has {game.people} people, not {len(self.names)}")
        if len(self.hint_amount) not in (0, game.people):
            count = len(self.hint_amount)
            raise NotationError(f"{game.title} has {game.people} amounts of hints, not {count}")
        fits = len(self.seats) in (0, game.people) and set(self.seats) <= set(range(_SEATS))
        if not fits or len(set(self.seats)) != len(self.seats):
            raise NotationError("each person has a seat of their own, from 0 to 3, or nobody has")
        self._check_computer()

    def _check_computer(self) -> None:
        game, levels = self.game, self.computer
        if not any(levels):
            return
        if game.puzzle is not None:
            raise NotationError(f"{game.title} is a puzzle, which the computer does not play")
        if len(levels) != game.people:
            raise NotationError(f"{game.title} has {game.people} people, not {len(levels)}")
        if not set(levels) <= {HUMAN, *range(1, MOST_LEVEL + 1)}:
            raise NotationError(f"a level of the computer is from 1 to {MOST_LEVEL}")
        if all(levels):
            raise NotationError("the computer cannot play everybody; leave a seat to a person")

    def again(self, edition: Edition | None) -> "GameConfig":
        """The same terms for a game that begins anew: the same person begins.

        Args:
            edition: names of the colours in the order of play so far, if they are known.
        """
        return replace(self, begins=self._colours(edition)[0], seed=0)

    def next_game(self, edition: Edition | None) -> "GameConfig":
        """The same terms for the next game: the next person begins, and all keep their seats.

        In a game of two colours the other colour begins. Four are played in a fixed order, so each
        person plays the colour of the person before.

        Args:
            edition: names of the colours in the order of play of this game, if they are known.
        """
        colours = self._colours(edition)
        begins = colours[1] if len(colours) == 2 else colours[0]
        return replace(
            self,
            names=_rotated(self.names),
            seats=_rotated(self.seats or usual_seats(self.game)),
            computer=_rotated(self.computer),
            seed=0,
            first=begins if self.first else None,
            begins=begins,
            hint_amount=_rotated(self.hint_amount),
        )

    def amount_of(self, person: int) -> HintAmount:
        """The part of a hint that a person may be shown, by their index in the order of play."""
        return self.hint_amount[person] if self.hint_amount else HintAmount.EVERYTHING

    def _colours(self, edition: Edition | None) -> tuple[str | None, ...]:
        """Names of the colours in the order of play, None where nobody knows."""
        if len(self.game.colours) == 2:
            return edition or (self.first, None)
        return self.edition or default_edition(self.game)

    @property
    def _may_begin(self) -> tuple[str, ...]:
        """Names of the colours that may begin: of four the first, of two either one."""
        if self.edition is not None:
            return self.edition if len(self.edition) == 2 else self.edition[:1]
        if len(self.game.colours) == 2:
            return ("purple", "orange", "black", "white", "blue", "green", "red", "yellow")
        return default_edition(self.game)[:1]


def _rotated(people: tuple[Item, ...]) -> tuple[Item, ...]:
    """The second first, and the first last."""
    return (*people[1:], *people[:1])


def to_json(terms: GameConfig) -> dict[str, Any]:
    """The JSON form of the terms."""
    table: dict[str, Any] = _CODEC.write(GameConfig, terms)
    return table


def from_json(table: object) -> GameConfig:
    """Reads the form that `to_json` writes; a key of an optional term may be missing.

    Raises:
        NotationError: it is not the JSON form of valid terms.
    """
    if not isinstance(table, Mapping):
        raise NotationError("what was agreed is a table of keys and values")
    try:
        terms: GameConfig = _CODEC.read(GameConfig, dict(table), "it")
    except (KeyError, TypeError, ValueError) as error:
        raise NotationError(f"what was agreed cannot be read: {error}") from error
    return terms


def _read_game(table: Mapping[str, Any]) -> Variant:
    game, shared = VARIANTS[table["game"]], table["shared"]
    return game if shared is None else game.sharing(shared)


def _read_pace(table: Mapping[str, Any]) -> TimeControl:
    return TimeControl(Timing(table["timing"]), float(table["clock_s"]), float(table["step_s"]))


_CODEC: Final = Codec(
    forms={
        Variant: Form(
            lambda game: {"game": game.key, "shared": game.shared}, _read_game, is_flat=True
        ),
        TimeControl: Form(asdict, _read_pace, is_flat=True),
        Edition: Form(list, lambda names: parse_edition(names, len(names))),
    },
    has_gaps=True,
    has_more=True,
)
"""Game and time control have no objects of their own; a later release may add terms."""
