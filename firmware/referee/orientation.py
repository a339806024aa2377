"""Tracks the mappings that remain possible, and the one in use."""

from dataclasses import replace
from typing import Final

import numpy as np

from firmware.game.events import ProvisionalFrame
from firmware.game.state import GameState, all_reframed
from firmware.referee import known_pieces
from firmware.referee.frame_mapping import QUARTER, FrameMapping, mappings
from firmware.referee.placement_matching import CHANGED
from firmware.referee.steadiness import LogProbabilities
from firmware.rules.position import Position
from firmware.rules.variants import Edition

_LEAD: Final = 10.0
"""Log odds by which the best mapping of an occupied board has to lead."""

_FEWEST_SEEN: Final = 0.5
"""Share of the squares with pieces that have to be seen: a thing may cover the others."""


class OrientationTracker:
    """Tracks the turn of the board and the colour that begins.

    Args:
        state: the state of the game.
        palette: names of the colours that are played.
        first: name of the colour that begins, if it is known.
        turned: the clockwise turn in degrees from the reader's frame to the game's, if known.

    Raises:
        ValueError: `first` is none of the colours.

    Attributes:
        palette: names of the colours that are played.
        turned: the same turn; None until it is known.
        mapping: the mapping in use; provisional until a piece was accepted.
    """

    def __init__(
        self, state: GameState, palette: Edition, first: str | None, turned: int | None
    ) -> None:
        self._first_named: Final = first
        self._first = None if first is None else _rotated(palette, first)
        self.palette = palette
        self.turned = state.turned if turned is None else turned
        self.mapping = self._plainest(state)

    @property
    def edition(self) -> Edition:
        """Names of the colours in the order of play; provisional until a piece was accepted."""
        return self.mapping.edition(self.palette)

    def rename(self, state: GameState, palette: Edition) -> None:
        """Changes the names of the colours.

        Raises:
            ValueError: the colour that begins is none of them.
        """
        first = self._first_named
        self._first = None if first is None else _rotated(palette, first)
        self.palette = palette
        self.mapping = self._plainest(state)

    def restart(self, state: GameState) -> None:
        """Continues from another state of the game."""
        self.turned = self.turned if state.turned is None else state.turned
        self.mapping = self.possible(state)[0]

    def possible(self, state: GameState) -> list[FrameMapping]:
        """Returns every mapping that remains possible, the one in use first."""
        found = self._found(state)
        return sorted(found, key=lambda mapping: mapping != self.mapping)

    def _plainest(self, state: GameState) -> FrameMapping:
        return self._found(state)[0]

    def _found(self, state: GameState) -> list[FrameMapping]:
        edition = state.edition or self._first
        if not state.history and state.position.occupied == 0:
            edition = self._first
        return list(mappings(state.position.game, self.palette, self.turned, edition))

    def seen(self, state: GameState, evidence: LogProbabilities) -> list[FrameMapping]:
        """Returns the mappings in which the accepted pieces match the evidence.

        Args:
            state: the state of the game.
            evidence: evidence of the steady board.

        Returns:
            One mapping; all possible ones of an empty board; none if two match alike.
        """
        possible = self.possible(state)
        if len(possible) == 1 or not state.position.occupied:
            return possible
        places = np.arange(len(evidence))
        scored = sorted(
            ((evidence[places, one.contents(state.position)].sum(), i)
             for i, one in enumerate(possible)),
            reverse=True,
        )  # fmt: skip
        return [possible[scored[0][1]]] if scored[0][0] - scored[1][0] > _LEAD else []

    def turned_round(self, state: GameState, evidence: LogProbabilities) -> FrameMapping | None:
        """Returns the mapping after a turn of the board with its pieces; None if it was not turned.

        In one turn alone no accepted piece is missing, and half of their squares certainly show
        them.
        """
        here = self.mapping
        turns = (replace(here, turned=(here.turned + n * QUARTER) % 360) for n in (1, 2, 3))
        found = [one for one in turns if _shows(evidence, one, state.position)]
        return found[0] if len(found) == 1 else None

    def switch_to(self, state: GameState, mapping: FrameMapping) -> GameState:
        """Switches to `mapping`; returns the state with provisional pieces re-expressed in it."""
        self.mapping = mapping
        return all_reframed(state, (mapping.turned, self.edition), settled=False)

    def mapping_of(self, state: GameState, frame: ProvisionalFrame | None) -> FrameMapping:
        """Returns the mapping to a provisional frame.

        It is the mapping in use if there is no such frame, or the colours were renamed since.
        """
        if frame is None or set(frame[1]) != set(self.palette):
            return self.mapping
        turned, edition = frame
        plastic = tuple(map(self.palette.index, edition))
        return FrameMapping(state.position.game.size, turned, plastic)

    def settle(self, mapping: FrameMapping) -> None:
        """Settles the turn of the board by a mapping."""
        self.mapping, self.turned = mapping, mapping.turned

    def provisional_frame(self, state: GameState) -> ProvisionalFrame | None:
        """Returns the frame of squares and colours while it is provisional, otherwise None."""
        two = len(state.position.game.colours) == 2
        order_open = two and state.edition is None and self._first is None
        if self.turned is None or order_open:
            return self.mapping.turned, self.edition
        return None


def _shows(evidence: LogProbabilities, mapping: FrameMapping, position: Position) -> bool:
    """True if no square lacks its piece, and half of them certainly show it."""
    found = np.concatenate(
        [
            known_pieces.leads(colour, move.squares, evidence, mapping)
            for colour, move in position.pieces
        ]
    )
    return bool((found >= 0).all() and (found > CHANGED).mean() >= _FEWEST_SEEN)


def _rotated(palette: Edition, first: str) -> Edition:
    """Returns the palette in the order of play that begins with `first`."""
    if first not in palette:
        raise ValueError(f"{first!r} is none of the colours {', '.join(palette)}")
    at = palette.index(first)
    return (*palette[at:], *palette[:at])
