"""A referee for games without pictures, which compares the truth with the game so far."""

from firmware.rules.board import Board
from firmware.rules.position import Position
from firmware.simulator.people import TableFeedback
from firmware.simulator.table import VirtualTable


class HonestReferee:
    def __init__(self, table: VirtualTable) -> None:
        self.table = table
        self.position = Position.start(table.scene.game)
        self.refused = False
        self.refusals: list[set[str]] = []

    def look(self) -> None:
        """Decides on the pieces on the board, if there is no hand over it."""
        if self.table.scene.hand is not None:
            return
        truth = self.table.scene.truth()
        new = [at for at, c in enumerate(truth) if c is not None and not self.knows(at, c)]
        if not new:
            self.refused = False
            return
        colour = truth[new[0]]
        assert colour is not None
        broken = self.position.examine(new, colour)
        if broken:
            if not self.refused:
                self.refusals.append({breach.rule.value for breach in broken})
            self.refused = True
            return
        index = Board.of(self.position.game.size).find(new)
        assert index is not None
        self.position = self.position.play(self.position.board.move(index))

    def knows(self, square: int, colour: int) -> bool:
        return bool(self.position.squares(colour) >> square & 1)

    def shown(self) -> TableFeedback:
        return TableFeedback(self.position, refused=self.refused)
