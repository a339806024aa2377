"""A process of a table without pictures that plays random games until it is killed.

`python -m tests.evaluation.table_process FOLDER SEED SOCKET` continues the game in the folder, or
starts one. Journal, referee, archive and feed are the real ones; only the reading of pictures is
left out. At random times somebody requests a hint, and the player cannot run.
"""

import random
import sys
import time
from pathlib import Path
from unittest.mock import patch

from firmware.game.config import GameConfig
from firmware.player import search_process
from firmware.player.client import EngineClient
from firmware.rules.variants import GAMES
from firmware.session.feed_server import FeedServer, Published
from tests.support.fake_table import FakeTable, RecordingFeed
from web.contract import Hint, LivePicture, NewGame, Page

DUO = GameConfig(GAMES["duo"], names=("Ada", "Ben"), hints=99)
HINTS = 0.1
"""Share of the moves before which somebody requests a hint."""

BROKEN = (
    ("/nowhere/player",),
    ("false",),
    ("echo", "nonsense"),
    ("echo", '{"request": 1}'),
    ("cat",),
    ("sleep", "9"),
)
"""Programs in place of the player, none of which works."""


class BroadcastFeed(RecordingFeed):
    """A feed that records messages, and also sends pages."""

    def publish(self, message: Published) -> None:
        if isinstance(message, Page):
            self.pages = [message]
            FeedServer.publish(self, message)
        elif not isinstance(message, LivePicture):
            super().publish(message)


def main(folder: Path, seed: int, socket: Path) -> None:
    """Plays until the process is killed."""
    chance = random.Random(seed)  # noqa: S311

    def player() -> EngineClient:
        with (
            patch.object(search_process, "check_player"),
            patch.object(search_process, "command", lambda *_: list(chance.choice(BROKEN))),
        ):
            return EngineClient()

    house = FakeTable(folder, DUO, lambda _: BroadcastFeed(socket), player=player, goes_on=True)
    house.feed.start()
    while True:
        position = house.state.position
        if house.state.over or position.to_move is None:
            house.asks(NewGame(names=("Ada", "Ben"), hints=99))
            continue
        if chance.random() < HINTS:
            house.asks(Hint())
        move = position.board.move(int(chance.choice(position.legal_moves.indices)))
        house.lay(house.table_factory.board.palette[position.to_move], str(move))
        accepted = house.state.piece_count == sum(map(len, position.laid)) + 1
        assert accepted, f"{move} was not accepted: {house.page.state}, {house.events[-4:]}"
        house.events.clear()
        time.sleep(chance.random() * 0.05)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
