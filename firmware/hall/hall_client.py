"""The hall's own connection to its broker, with a thread that serves it.

The hall is a client as every table is, under a user that may read and write all topics of the hall.
Whatever it publishes is sent again after each connection.
"""

import logging
import queue
import threading
from collections.abc import Callable
from typing import Final

from firmware.hall.link.messages import HallStatus, encode
from firmware.hall.link.mqtt import (
    BrokerLogin,
    BrokerNews,
    Connected,
    Disconnected,
    HallConnection,
    Received,
)
from firmware.hall.link.topics import HallTopics

_TURN_S: Final = 0.05
"""Seconds between two looks for messages."""

_GOODBYE_S: Final = 5.0
"""Seconds in which the thread has to end."""

_log = logging.getLogger(__name__)


class HallClient:
    """The connection; every method may be called from any thread.

    Args:
        login: the hall's own login at its broker.
        topics: topics of the hall.
        name: name of the hall for people.

    Attributes:
        is_connected: True while it is connected.
    """

    def __init__(self, login: BrokerLogin, topics: HallTopics, name: str) -> None:
        self._topics: Final = topics
        self._gone: Final = encode(HallStatus(online=False, name=name))
        self._outgoing: Final[queue.SimpleQueue[tuple[str, bytes]]] = queue.SimpleQueue()
        self._closing: Final = threading.Event()
        self.is_connected = False
        self._connection: Final = HallConnection(
            login,
            (topics.hall_status, self._gone),
            (topics.all_of_tables,),
        )
        self._thread: Final = threading.Thread(target=self._serve, name="club", daemon=True)

    def start(
        self, on_message: Callable[[str, bytes], None], on_link: Callable[[bool], None]
    ) -> None:
        """Begins to connect.

        Args:
            on_message: called with topic and content of each message of a table, in the client's
                thread.
            on_link: called with True after each connection, with False when it is lost, likewise.
        """
        self._on_message, self._on_link = on_message, on_link
        self._connection.start()
        self._thread.start()

    def publish(self, topic: str, content: bytes) -> None:
        """Sets the newest value of a retained topic; an empty one clears it. Returns at once."""
        self._outgoing.put((topic, content))

    def close(self) -> None:
        """Says goodbye, and ends."""
        self.publish(self._topics.hall_status, self._gone)
        self._closing.set()
        self._thread.join(_GOODBYE_S)

    def _serve(self) -> None:
        while not self._closing.wait(_TURN_S):
            self._turn()
        self._turn()
        self._connection.close()

    def _turn(self) -> None:
        while not self._outgoing.empty():
            topic, content = self._outgoing.get()
            self._connection.publish(topic, content)
        for one in self._connection.poll():
            self._take(one)
        self._connection.flush()

    def _take(self, news: BrokerNews) -> None:
        match news:
            case Received():
                self._on_message(news.topic, news.payload)
            case Connected():
                self._follow(is_connected=True)
            case Disconnected():
                if self.is_connected:
                    _log.warning("the broker is lost: %s", news.reason)
                self._follow(is_connected=False)

    def _follow(self, *, is_connected: bool) -> None:
        self.is_connected = is_connected
        self._on_link(is_connected)
