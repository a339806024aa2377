"""The table's side of the socket with a loop that turns, and does nothing else."""

import threading
from pathlib import Path

from firmware.session.feed_server import FeedServer

_TURN_S = 0.05


class TurningFeed(FeedServer):
    """A feed whose loop turns from `start` to `close`, or until `stand`."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._standing = threading.Event()
        self._loop = threading.Thread(target=self._turn, name="turning", daemon=True)

    def start(self) -> None:
        super().start()
        self._loop.start()

    def stand(self) -> None:
        """Stops the loop for good."""
        self._standing.set()
        self._loop.join()

    def close(self) -> None:
        if self._loop.ident is not None:
            self.stand()
        super().close()

    def _turn(self) -> None:
        while not self._standing.wait(_TURN_S):
            self.turned()
