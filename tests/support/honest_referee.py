"""A referee for games without pictures, which compares the truth with the game so far."""

from collections.abc import Sequence

from firmware.rules.board import Board
from firmware.rules.position import Position
from firmware.simulator.people import TableFeedback
from firmware.simulator.table import VirtualTable


class HonestReferee:
    """Accepts and refuses pieces; `correct` is the command of an arbiter.

    Attributes:
        table: the table.
        position: the position after all accepted moves.
        refused: True while a piece on the board is refused.
        refusals: rules that each refused piece breaks.
        is_open: False while the game is paused.
    """

    def __init__(self, table: VirtualTable) -> None:
        self.table = table
        self.position = Position.start(table.scene.game)
        self.refused = False
        self.refusals: list[set[str]] = []
        self.is_open = True
        self._before: list[Position] = []
        self._is_corrected = False

    def look(self) -> None:
        """Decides on the pieces on the board, if there is no hand over it."""
        if self.table.scene.hand is not None or not self.is_open:
            return
        truth = self.table.scene.truth()
        if self._is_corrected and truth != self.squares():
            return
        self._is_corrected = False
        if self.position.game.puzzle is not None:
            self._lift(truth)
        new = [at for at, c in enumerate(truth) if c is not None and not self.knows(at, c)]
        if not new:
            self.refused = False
            return
        colour = truth[new[0]]
        assert colour is not None
        broken = self.position.examine(new, colour)
        if broken:
            if not self.refused:
                self.refusals.append({violation.rule.value for violation in broken})
            self.refused = True
            return
        index = Board.of(self.position.game.size).find(new)
        assert index is not None
        self._before.append(self.position)
        self.position = self.position.play(self.position.board.move(index), colour)

    def _lift(self, truth: Sequence[int | None]) -> None:
        """Takes back the pieces of a puzzle that are not on the board."""
        for colour, laid in enumerate(self.position.laid):
            for move in laid:
                if all(truth[square] != colour for square in move.squares):
                    self.position = self.position.lift(move, colour)

    def undo(self) -> bool:
        """Takes the last move back; returns False if there is none."""
        if self._before:
            self.correct(self._before.pop())
            return True
        return False

    def correct(self, position: Position) -> None:
        """Sets the position; nothing is decided until it is on the board."""
        self.position, self._is_corrected, self.refused = position, True, False

    def knows(self, square: int, colour: int) -> bool:
        """True if a piece of a colour has been accepted on a square."""
        return bool(self.position.squares(colour) >> square & 1)

    def squares(self) -> tuple[int | None, ...]:
        """Returns the accepted colour on each square."""
        return tuple(map(self.position.colour_at, range(self.position.board.squares)))

    def shown(self) -> TableFeedback:
        """Returns what people are told."""
        return TableFeedback(self.position, refused=self.refused, is_open=self.is_open)
