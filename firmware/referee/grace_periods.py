"""Time to straighten a piece before it is refused, or to uncover one before it is missing.

Pieces that lie askew, shadows and lamps make a right board look wrong for a moment.
"""

from collections.abc import Sequence
from typing import Final

from firmware.codes import Rule
from firmware.game.state import GameState
from firmware.referee import known_pieces
from firmware.referee.adjudication import Refused, certainly_refused
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.placement_matching import MOST_ASKEW, Explanation
from firmware.rules.board import mask_of

_STRAIGHTEN_S: Final = 2.5
"""Seconds after which a piece is refused that would be legal without one of its squares, or two.
One that lies askew covers a square more; at the simulated table people straighten it within 2 s."""

_INCOMPLETE_S: Final = 4.0
"""Seconds after which a piece counts as missing although only some of its squares look empty: a
shadow, another lamp, or a resting hand can make them look so."""


class GracePeriods:
    """The grace periods that run in one game."""

    def __init__(self) -> None:
        self._askew_since: dict[tuple[int, int], float] = {}
        self._incomplete_since: float | None = None

    @property
    def is_incomplete(self) -> bool:
        """True if each missing piece lacks only some of its squares."""
        return self._incomplete_since is not None

    def touch(self) -> None:
        """Begins the period of missing pieces anew, because the board is touched."""
        self._incomplete_since = None

    def is_for_missing(
        self, state: GameState, explanation: Explanation, mapping: FrameMapping, now: float
    ) -> bool:
        """True if each missing piece lacks only some squares, and that for a few seconds only.

        Args:
            state: the state of the game, expressed in `mapping`.
            explanation: changes against the accepted position.
            mapping: from the reader's frame to the game's.
            now: time of the newest frame in seconds.
        """
        lacking = known_pieces.displaced(state, mapping.mask(explanation.missing))
        if not lacking or not all(
            known_pieces.is_incomplete(one, explanation, mapping) for one in lacking
        ):
            self._incomplete_since = None
            return False
        self._incomplete_since = now if self._incomplete_since is None else self._incomplete_since
        return now - self._incomplete_since < _INCOMPLETE_S

    def overdue(
        self, state: GameState, refused: Sequence[Refused], now: float
    ) -> Sequence[Refused]:
        """Returns the pieces to refuse by now.

        One that may be a legal move that lies askew has time to be straightened.

        Args:
            state: the state of the game.
            refused: the pieces that break rules.
            now: time of the newest frame in seconds.
        """
        known = {(one.colour, mask_of(one.squares)) for one in state.refused}
        askew = {
            (one.colour, one.mask)
            for one in refused
            if (one.colour, one.mask) not in known and _may_lie_askew(one, state)
        }
        # Hands that come and go do not start it anew, or it would never be refused.
        self._askew_since = {key: self._askew_since.get(key, now) for key in askew}
        held = {key for key, since in self._askew_since.items() if now - since < _STRAIGHTEN_S}
        rest = [one for one in refused if (one.colour, one.mask) not in held]
        position = state.position
        wrong = [one.colour for one in refused if position.to_move == one.colour]
        if wrong and position.game.puzzle is None:
            # What is refused may be the move that the others have waited for.
            rest = [o if o.colour in wrong else o.if_moved(wrong, position.game) for o in rest]
            rest = [one for one in rest if one.violations]
        movers = {colour for colour, _ in held if position.may_lay(colour)}
        if not movers:
            return rest
        # Once straightened it may be the move that the others have waited for.
        return certainly_refused(rest, movers, position.game)


def _may_lie_askew(refused: Refused, state: GameState) -> bool:
    """True if the squares may be those of a legal move that lies askew, and one or two more.

    Of the computer's moves only the chosen one counts. Two may be too many only of squares that are
    no piece, or one that is not in hand any more: a piece of its own that covers two squares too
    many does not lie askew.
    """
    rules = {violation.rule for violation in refused.violations} - {Rule.WRONG_TURN}
    if not rules or rules & {Rule.TWO_PIECES, Rule.OFF_BOARD}:
        return False
    most = MOST_ASKEW if rules & {Rule.NOT_A_PIECE, Rule.PIECE_USED} else 1
    chosen = state.chosen
    if state.level_of(refused.colour):
        moves = [] if chosen is None else [chosen.move]
    else:
        moves = list(state.position.moves_of(refused.colour))
    return any(
        not move.mask & ~refused.mask and 0 < (refused.mask & ~move.mask).bit_count() <= most
        for move in moves
    )
