"""Which mappings the game may still be read in, and the one it is read in now."""

from typing import Final

import numpy as np

from firmware.game.events import ProvisionalFrame
from firmware.game.state import GameState, all_reframed
from firmware.referee.frame_mapping import FrameMapping, mappings
from firmware.referee.steadiness import LogProbabilities
from firmware.rules.variants import Edition


class OrientationTracker:
    """Keeps what is known of how the board lies and who begins.

    Args:
        state: the game as it stands.
        palette: names of the colours that are played.
        first: name of the colour that begins, where it is known.
        turned: the clockwise turn from the reader's frame to the game's, where it is known.

    Raises:
        ValueError: `first` is none of the colours.

    Attributes:
        palette: names of the colours that are played.
        turned: the clockwise turn from the reader's frame to the game's; None until it is known.
        mapping: the one gone by; provisional until a piece was accepted.
    """

    def __init__(
        self, state: GameState, palette: Edition, first: str | None, turned: int | None
    ) -> None:
        self._first_named: Final = first
        self._first = None if first is None else _beginning(palette, first)
        self.palette = palette
        self.turned = state.turned if turned is None else turned
        self.mapping = self._plainest(state)

    @property
    def edition(self) -> Edition:
        """Names of the colours in the order of play; provisional until a piece was accepted."""
        return self.mapping.edition(self.palette)

    def rename(self, state: GameState, palette: Edition) -> None:
        """Takes other names for the colours.

        Raises:
            ValueError: the colour that begins is none of them.
        """
        first = self._first_named
        self._first = None if first is None else _beginning(palette, first)
        self.palette = palette
        self.mapping = self._plainest(state)

    def restart(self, state: GameState) -> None:
        """Goes on from another position of the game."""
        self.turned = self.turned if state.turned is None else state.turned
        self.mapping = self.possible(state)[0]

    def possible(self, state: GameState) -> list[FrameMapping]:
        """Every mapping that the game so far leaves, the one gone by first, then the plainest."""
        found = self._found(state)
        return sorted(found, key=lambda mapping: mapping != self.mapping)

    def _plainest(self, state: GameState) -> FrameMapping:
        return self._found(state)[0]

    def _found(self, state: GameState) -> list[FrameMapping]:
        edition = state.edition or self._first
        if not state.history and state.position.occupied == 0:
            edition = self._first
        return list(mappings(state.position.game, self.palette, self.turned, edition))

    def seen(self, state: GameState, evidence: LogProbabilities, lead: float) -> list[FrameMapping]:
        """The mappings in which the accepted pieces are where the evidence has them.

        Args:
            state: the game as it stands.
            evidence: what the steady board shows.
            lead: log odds by which the best of several has to lead.
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
        return [possible[scored[0][1]]] if scored[0][0] - scored[1][0] > lead else []

    def switch_to(self, state: GameState, mapping: FrameMapping) -> GameState:
        """Goes on in a mapping; what was told in a provisional one is told anew in silence."""
        self.mapping = mapping
        return all_reframed(state, (mapping.turned, self.edition), settled=False)

    def mapping_of(self, state: GameState, told_in: ProvisionalFrame | None) -> FrameMapping:
        """The mapping that something was told in; the present one where it is the game's.

        Nor is there another where the colours have been renamed since.
        """
        if told_in is None or set(told_in[1]) != set(self.palette):
            return self.mapping
        turned, edition = told_in
        plastic = tuple(map(self.palette.index, edition))
        return FrameMapping(state.position.game.size, turned, plastic)

    def settle(self, mapping: FrameMapping) -> None:
        """From now on the board is known to lie so."""
        self.mapping, self.turned = mapping, mapping.turned

    def told_in(self, state: GameState) -> ProvisionalFrame | None:
        """The mapping to tell squares and colours in while it is provisional, otherwise None."""
        two = len(state.position.game.colours) == 2
        order_open = two and state.edition is None and self._first is None
        if self.turned is None or order_open:
            return self.mapping.turned, self.edition
        return None


def _beginning(palette: Edition, first: str) -> Edition:
    """The palette in the order of play when `first` begins."""
    if first not in palette:
        raise ValueError(f"{first!r} is none of the colours {', '.join(palette)}")
    at = palette.index(first)
    return (*palette[at:], *palette[:at])
