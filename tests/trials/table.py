"""A table without pictures as a process of its own, to be killed: random games without end.

`python -m tests.trials.table FOLDER SEED` goes on with the game in the folder, or begins one.
Journal, referee, archive and feed are the real ones; only the reading of pictures is left out.
"""

import random
import sys
import time
from pathlib import Path

from firmware.feed import Feed
from firmware.rules.games import GAMES
from firmware.terms import Terms
from tests.house import House, Wire
from web.contract import NewGame, Page

DUO = Terms(GAMES["duo"], names=("Ada", "Ben"))


class Loud(Wire):
    """The feed that others hear as well as we do."""

    def publish(self, page: Page) -> None:
        self.pages = [page]
        Feed.publish(self, page)

    def publish_picture(self, jpeg: bytes) -> None:
        """Nobody looks."""


def main(folder: Path, seed: int) -> None:
    """Plays until it is killed."""
    chance = random.Random(seed)  # noqa: S311
    goes_on = (folder / "journal.sqlite").exists()
    house = House(folder, None if goes_on else DUO, Loud)
    house.wire.start()
    while True:
        position = house.state.position
        if house.state.over or position.to_move is None:
            house.asks(NewGame(names=("Ada", "Ben")))
            continue
        move = position.board.move(int(chance.choice(position.legal_moves.indices)))
        house.lay(house.stage.board.palette[position.to_move], str(move))
        accepted = house.state.plies == sum(map(len, position.laid)) + 1
        assert accepted, f"{move} was not accepted: {house.page.state}, {house.events[-4:]}"
        house.events.clear()
        time.sleep(chance.random() * 0.05)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
