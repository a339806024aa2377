"""Combines reader and referee: takes frames, returns events."""

import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from firmware.errors import SettingsError
from firmware.game.config import GameConfig
from firmware.game.events import Event, Moment
from firmware.game.state import GameState
from firmware.referee.puzzle_pieces import puzzle_position
from firmware.referee.referee import Phase, Referee, RefereeSettings
from firmware.rules.board import Move, mask_of, mask_where
from firmware.rules.position import Position
from firmware.rules.reconstruction import recover
from firmware.rules.variants import EDITIONS, Colour, Edition, Variant, default_edition
from vision.camera import Frame
from vision.errors import BoardFailure
from vision.geometry.image_quality import RollingBands
from vision.reading import Reading

_SURE: Final = 0.9
"""Least probability of every square of a position that is taken from one frame."""

_HAND_LONG_S: Final = 3.0
"""Seconds of a hand after which bands of light may be what looks like one."""

_HAND_BREAK_S: Final = 2.0
"""Longest time in seconds without it, in which it counts as there."""

_SEARCH_S: Final = 3.0
"""Seconds for which a game looks for its board before it says why it finds none: hands are still
over the board after Begin, and the camera adapts its exposure."""

_log = logging.getLogger(__name__)


class FrameReader(Protocol):
    """Reads the frames of a table, as `vision.reader.Reader` does."""

    def read(self, frame: Frame, lit: NDArray[np.bool_] | None = None) -> Reading | BoardFailure:
        """Reads the next frame; `lit` is True for squares whose LEDs may glow in it."""
        ...

    def confirm(self, palette: tuple[str, ...] | None) -> None:
        """Sets the colours that the plastic on the table certainly has; None to detect them."""
        ...


class GameTracker:
    """Follows one game through the frames of a camera.

    Args:
        reader: reads the frames of this table.
        game: the position it begins from, or the state after its events so far.
        edition: names of the colours of the pieces; None to take those that the reader learns.
        first: name of the colour that begins, if it is known.
        begins: name of the colour that is expected to begin; the first piece decides.
        turned: the clockwise turn in degrees from the reader's frame to the game's, if known.
        settings: the terms that bind the referee.

    Raises:
        SettingsError: the game is not played in such colours.

    Attributes:
        referee: the referee; it also takes the rulings of people.
        reading: reading of the newest frame.
    """

    def __init__(
        self,
        reader: FrameReader,
        game: Position | GameState,
        edition: Edition | None = None,
        *,
        first: str | None = None,
        begins: str | None = None,
        turned: int | None = None,
        settings: RefereeSettings | None = None,
    ) -> None:
        position = game if isinstance(game, Position) else game.position
        self._begins: Final = begins
        self._reader: Final[FrameReader] = reader
        self._learns = edition is None
        self._first: Final = first
        palette = self._in_order(_palette(position.game, edition, first or begins))
        self.referee: Final = Referee(game, palette, first=first, turned=turned, settings=settings)
        self.reading: Reading | BoardFailure | None = None
        self._began_at: float | None = None
        self._searches = True
        self._has_read = False
        self._bands: Final = RollingBands()
        self._newest_s = 0.0
        self._hand_s = self._hand_since_s = float("-inf")

    @classmethod
    def of_game(
        cls,
        reader: FrameReader,
        config: GameConfig,
        state: GameState,
        *,
        edition: Edition | None = None,
        first: str | None = None,
        turned: int | None = None,
    ) -> Self:
        """Returns a tracker by the settings of a game.

        Args:
            reader: see the class.
            config: the settings.
            state: the state of the game after its events so far.
            edition: names of the colours; None for those of settings and state.
            first: name of the colour that begins; None for that of the settings.
            turned: the turn of the board if the state does not know it.
        """
        return cls(
            reader,
            replace(state, computer=state.computer or config.computer),
            edition or config.edition or state.edition,
            first=first or config.first,
            begins=config.begins,
            turned=turned if state.turned is None else state.turned,
            settings=RefereeSettings(takeback=config.takeback, turn_end=config.turn_end),
        )

    def agreed(self, config: GameConfig) -> GameConfig:
        """Returns settings of a game with the colours that were known when it began."""
        edition = None if self._learns else self.referee.edition
        return replace(config, edition=edition, first=self._first)

    @property
    def failure(self) -> BoardFailure | None:
        """Reason that the board is lost; None while it is not, or is still searched for."""
        return None if self._searches else self.cause

    @property
    def cause(self) -> BoardFailure | None:
        """The same, also while the board is still searched for."""
        if self.referee.phase is not Phase.BOARD_LOST or self.reading is None:
            return None
        if isinstance(self.reading, BoardFailure):
            return self.reading
        return BoardFailure.BLURRED

    @property
    def turned(self) -> int:
        """The clockwise turn in degrees from the reader's frame to the game's; 0 until known."""
        return self.referee.turned or 0

    def see(
        self,
        frame: Frame,
        lit: frozenset[int] = frozenset(),
        stuck: frozenset[int] = frozenset(),
    ) -> list[Event]:
        """Reads and judges the next frame.

        Args:
            frame: the frame; frames come in the order of their exposure.
            lit: squares of the reader's frame whose LEDs may have been lit in it; decisions
                need a frame without any.
            stuck: squares whose LEDs cannot be put out. They count as covered, and do not
                prevent decisions.

        Returns:
            The events in order.
        """
        reading = self.accept(self.reading_of(frame, lit | stuck)())
        return self.judge(reading, Moment(frame.number, frame.time_s), lit, stuck)

    @property
    def settled(self) -> Edition | None:
        """The colours that the plastic certainly has; None while the reader detects them."""
        # An accepted piece, even by a ruling, settles the colours.
        return self.referee.edition if self.referee.state.piece_count or not self._learns else None

    def reading_of(
        self, frame: Frame, lit: frozenset[int] = frozenset()
    ) -> Callable[[], Reading | BoardFailure]:
        """Returns the work of reading the next frame, which another thread may do.

        The reader is in use until it is done.

        Args:
            frame: the frame; frames come in the order of their exposure.
            lit: squares of the reader's frame whose LEDs may have been lit in it.
        """
        if self._learns:
            self._reader.confirm(self.settled)
        self._bands.see(frame.image, frame.time_s)
        self._newest_s = frame.time_s
        return partial(self._reader.read, frame, self._mask(lit) if lit else None)

    def accept(self, reading: Reading | BoardFailure) -> Reading | BoardFailure:
        """Returns a reading as the newest one.

        Pieces of another game are no board, and neither are colours that cannot be told apart, nor
        bands of a flickering lamp, which look like a hand.
        """
        may_be_bands = self._has_hand_for_long(isinstance(reading, Reading) and reading.hand)
        if isinstance(reading, Reading) and not self._fits(reading.palette):
            reading = BoardFailure.OTHER_COLOURS
        elif isinstance(reading, Reading) and not (reading.has_colours or self._is_neutral):
            reading = BoardFailure.NO_COLOURS
        elif may_be_bands and self._bands.are_plain:
            reading = BoardFailure.BANDS
        self.reading = reading
        return reading

    def judge(
        self,
        reading: Reading | BoardFailure,
        moment: Moment,
        lit: frozenset[int] = frozenset(),
        stuck: frozenset[int] = frozenset(),
    ) -> list[Event]:
        """Passes a reading to the referee; see `see`."""
        self.reading = reading
        self._began_at = moment.time if self._began_at is None else self._began_at
        if isinstance(reading, Reading) or moment.time - self._began_at >= _SEARCH_S:
            self._searches = False
        if isinstance(reading, Reading) and not self._has_read:
            self._has_read = True
            if reading.beyond.size and np.isneginf(reading.beyond).all(axis=1).any():
                _log.warning(
                    "the picture ends at the border of the board, so a piece over the edge is not "
                    "noticed; leave a square of table in the picture on each side"
                )
        return self.referee.see(reading, moment, dark=not lit, stuck=stuck)

    def lifted(self, empty: NDArray[np.bool_]) -> list[Move]:
        """Returns the accepted pieces that do not lie in their places.

        Args:
            empty: (n * n,) squares of the reader's frame that are certainly empty.
        """
        position, quarters = self.referee.state.position, self.turned // 90
        mask = mask_of(position.board.turn(s, quarters) for s in np.flatnonzero(empty).tolist())
        return [move for moves in position.laid for move in moves if move.mask & mask]

    def seen(self, turn: Colour) -> Position:
        """Returns the position in the newest frame.

        Args:
            turn: the colour to move, which no frame shows.

        Raises:
            ValueError: a square is covered or in doubt, or the pieces are no position of a game.
        """
        reading, game = self.reading, self.referee.state.position.game
        if not isinstance(reading, Reading) or reading.hand or reading.covered.any():
            raise ValueError("the whole board is not in view; take everything off it but pieces")
        if reading.probabilities.max(axis=1).min() < _SURE:
            raise ValueError("a square is in doubt; set the position by hand")
        turned = np.rot90(
            reading.probabilities.argmax(axis=1).reshape(game.size, -1), -self.turned // 90
        )
        places = turned.ravel()
        masks = [
            mask_where(places == 1 + reading.palette.index(name)) for name in self.referee.edition
        ]
        if game.puzzle is not None:
            standing = puzzle_position(game, masks)
            if standing is None:
                raise ValueError("these squares are no position of the puzzle; set it by hand")
            return standing
        found = recover(game, masks)
        if found.problems:
            raise ValueError("these squares are no position of the game; set it by hand")
        return found.position.with_turn(turn)

    def _has_hand_for_long(self, hand: bool) -> bool:  # noqa: FBT001
        """True if a hand has been there for some seconds, with short breaks."""
        now_s = self._newest_s
        if hand:
            if now_s - self._hand_s > _HAND_BREAK_S:
                self._hand_since_s = now_s
            self._hand_s = now_s
        return now_s - self._hand_s <= _HAND_BREAK_S and now_s - self._hand_since_s >= _HAND_LONG_S

    @property
    def _is_neutral(self) -> bool:
        """True if the colours are certainly black and white."""
        return set(self.settled or ()) == set(EDITIONS["black-white"])

    def _fits(self, palette: Edition) -> bool:
        """True if these are the colours of the game; takes them over before the first piece."""
        fits = len(palette) == len(self.referee.edition) and self._first in (None, *palette)
        if self._learns and fits and not self.referee.state.piece_count:
            self.referee.rename(self._in_order(palette))
        return set(palette) == set(self.referee.edition)

    def _in_order(self, palette: Edition) -> Edition:
        """Returns the colours of a game of two with the one first that is expected to begin."""
        expected = len(palette) == 2 and self._begins == palette[1]
        return palette[::-1] if expected else palette

    def _mask(self, lit: frozenset[int]) -> NDArray[np.bool_]:
        mask = np.zeros(self.referee.state.position.game.size**2, np.bool_)
        mask[[square for square in lit if square < len(mask)]] = True
        return mask


def _palette(game: Variant, edition: Edition | None, first: str | None) -> Edition:
    """Returns the colours to begin with, until the reader has learned them."""
    known = [default_edition(game), *EDITIONS.values()] if edition is None else [edition]
    for names in known:
        # Four colours have a fixed order, so the first of them begins.
        may_begin = names if len(names) == 2 else names[:1]
        if len(names) == len(game.colours) and first in (None, *may_begin):
            return names
    which = f"in which {first} begins" if first else "of that kind"
    raise SettingsError(f"{game.title} has no edition {which}; see --edition and --first")
