"""The connection of a table to the broker of its hall.

The library's thread connects, and connects again; its callbacks only note what happened. All state
is of the thread that calls `poll`, `publish` and `flush`, which never wait for the network. A topic
has one newest value: while one is on its way, a newer one replaces those that wait, and all are
sent again after each connection.
"""

import contextlib
import logging
import queue
import ssl
import threading
import time
from dataclasses import dataclass, field
from typing import Any, Final, Self

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from firmware.errors import CornerlightError
from firmware.hall.link.invitation import HallInvitation
from firmware.hall.link.tls import OtherHallError, fetch_authority, pinned_context
from firmware.hall.link.topics import QOS

KEEPALIVE_S: Final = 7
"""Seconds after which a silent connection is examined. The broker gives up after 1.5 times that,
and sends the will 5 s later: with 10 s, a table that hung was offline after more than 25 s."""

WILL_DELAY_S: Final = 5
"""Seconds after which the broker sends the will of a connection that was cut."""

_SESSION_S: Final = 60
"""Seconds for which the broker keeps the session, longer than the will waits."""

_FIRST_WAIT_S: Final = 1.0
"""Seconds before the first attempt to connect again; doubled after each attempt."""

_LONGEST_WAIT_S: Final = 8.0
"""Greatest seconds between two attempts to connect."""

_CONNECTS_S: Final = 5.0
"""Seconds for a step of a connection."""

_GOODBYE_S: Final = 2.0
"""Seconds in which the broker has to take the last messages."""

_POLL_S: Final = 0.02
"""Seconds between two looks for an answer."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BrokerLogin:
    """All that a client needs to connect to a broker.

    Attributes:
        host: name or address of the hall's machine.
        port: port of its broker.
        user: user name of the client at the broker.
        secret: its password.
        fingerprint: SHA-256 of the certificate of the hall's authority, 64 hexadecimal digits.
    """

    host: str
    port: int
    user: str
    secret: str = field(repr=False)
    fingerprint: str

    @classmethod
    def of(cls, one: HallInvitation) -> Self:
        """Returns the login of an invited table."""
        return cls(one.host, one.port, one.table, one.secret, one.fingerprint)

    @property
    def no_answer(self) -> str:
        """Returns a clause for a hall that does not answer."""
        return f"the hall at {self.host} port {self.port} does not answer"


@dataclass(frozen=True, slots=True)
class Connected:
    """The broker has accepted the connection."""


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The connection is lost, or could not be made.

    Attributes:
        reason: cause for people; one sentence.
        is_refusal: True if the broker does not accept this table.
    """

    reason: str
    is_refusal: bool = False


@dataclass(frozen=True, slots=True)
class Received:
    """A message of a topic that this client subscribed to."""

    topic: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class _Taken:
    """The broker has answered a message of ours."""

    number: int
    refusal: str


BrokerNews = Connected | Disconnected | Received


class HallConnection:
    """The connection to a broker; the newest one of a user ends the one before.

    Args:
        login: the hall, and who the client is there.
        will: topic and content of the will, which is retained; None without one.
        subscriptions: topics to subscribe to after each connection.
    """

    def __init__(
        self,
        login: BrokerLogin,
        will: tuple[str, bytes] | None = None,
        subscriptions: tuple[str, ...] = (),
    ) -> None:
        self._login: Final = login
        self._subscriptions: Final = subscriptions
        self._news: Final[queue.SimpleQueue[BrokerNews | _Taken]] = queue.SimpleQueue()
        self._newest: dict[str, bytes] = {}
        self._waiting: dict[str, None] = {}
        self._in_flight: dict[int, str] = {}
        self._refused: set[str] = set()
        self._closing: Final = threading.Event()
        self._is_accepted = False  # of the library's thread
        self.is_connected = False
        self._client: Final = Client(
            CallbackAPIVersion.VERSION2, client_id=login.user, protocol=MQTTProtocolVersion.MQTTv5
        )
        self._client.username_pw_set(login.user, login.secret)
        if will is not None:
            self._client.will_set(*will, QOS, retain=True, properties=_will_properties())
        self._client.reconnect_delay_set(round(_FIRST_WAIT_S), round(_LONGEST_WAIT_S))
        self._client.connect_timeout = _CONNECTS_S
        self._client.on_connect = self._on_connect
        self._client.on_connect_fail = self._on_connect_fail
        self._client.on_disconnect = self._on_disconnect
        self._client.on_message = self._on_message
        self._client.on_publish = self._on_publish
        self._thread: Final = threading.Thread(target=self._open, name="hall", daemon=True)

    def start(self) -> None:
        """Begins to connect, and to connect again whenever the connection is lost."""
        self._thread.start()

    def publish(self, topic: str, payload: bytes) -> None:
        """Sets the newest value of a topic, which `flush` sends and the broker retains.

        Args:
            topic: the topic.
            payload: content; empty clears the topic.
        """
        if self._newest.get(topic) != payload:
            self._newest[topic] = payload
            self._waiting[topic] = None

    def poll(self) -> list[BrokerNews]:
        """Returns what has happened since the last call."""
        news: list[BrokerNews] = []
        with contextlib.suppress(queue.Empty):
            while True:
                one = self._news.get_nowait()
                if isinstance(one, _Taken):
                    self._take(one)
                    continue
                if isinstance(one, Connected):
                    self.is_connected = True
                    self._in_flight.clear()
                    self._waiting = dict.fromkeys(self._newest)
                elif isinstance(one, Disconnected):
                    self.is_connected = False
                news.append(one)
        return news

    def flush(self) -> None:
        """Hands waiting values to the library, one a topic at a time."""
        if not self.is_connected:
            return
        busy = set(self._in_flight.values())
        for topic in [one for one in self._waiting if one not in busy]:
            if self._send(topic, self._newest[topic]):
                del self._waiting[topic]

    @property
    def is_settled(self) -> bool:
        """True if the broker has taken every value."""
        return self.is_connected and not self._waiting and not self._in_flight

    def settle(self, within_s: float) -> bool:
        """Waits until the broker has taken every value; returns False if it does not."""
        until = time.monotonic() + within_s
        while time.monotonic() < until:
            self.poll()
            self.flush()
            if self.is_settled:
                return True
            time.sleep(_POLL_S)
        return False

    def close(self) -> None:
        """Disconnects, so that no will is sent; what waits is handed over first."""
        if self.is_connected:
            self.settle(_GOODBYE_S)
        self._closing.set()
        self._thread.join(2 * _CONNECTS_S)
        self._client.disconnect()
        self._client.loop_stop()
        # The library does this when its object is collected, too late for the sockets in it.
        self._client._reset_sockets()  # noqa: SLF001

    # The rest runs in the library's thread, or in the one that begins the connection.

    def _open(self) -> None:
        """Finds the authority, then lets the library connect."""
        wait_s = _FIRST_WAIT_S
        while not self._closing.is_set():
            try:
                context = self._context()
            except OSError as error:
                is_other = isinstance(error, OtherHallError)
                self._news.put(Disconnected(_why(self._login, error), is_refusal=is_other))
                self._closing.wait(wait_s)
                wait_s = min(2 * wait_s, _LONGEST_WAIT_S)
                continue
            self._client.tls_set_context(context)
            self._client.connect_async(
                self._login.host,
                self._login.port,
                KEEPALIVE_S,
                clean_start=False,
                properties=_session_properties(),
            )
            self._client.loop_start()
            return

    def _context(self) -> ssl.SSLContext:
        one = self._login
        return pinned_context(fetch_authority(one.host, one.port, one.fingerprint, _CONNECTS_S))

    def _on_connect(
        self, client: Client, _data: Any, _flags: Any, reason: ReasonCode, *_: Any
    ) -> None:
        if reason.is_failure:
            sentence = f"the hall does not accept this table: {str(reason).lower()}"
            is_refusal = reason.value in _REFUSALS
            self._news.put(Disconnected(sentence, is_refusal=is_refusal))
            return
        self._is_accepted = True
        for topic in self._subscriptions:
            client.subscribe(topic, QOS)
        self._news.put(Connected())

    def _on_connect_fail(self, *_: Any) -> None:
        self._news.put(Disconnected(self._login.no_answer))

    def _on_disconnect(
        self, _client: Client, _data: Any, _flags: Any, reason: ReasonCode, *_: Any
    ) -> None:
        if self._is_accepted:
            self._is_accepted = False
            self._news.put(Disconnected(f"the hall is lost: {str(reason).lower()}"))

    def _on_message(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        self._news.put(Received(message.topic, bytes(message.payload)))

    def _on_publish(
        self, _client: Client, _data: Any, number: int, reason: ReasonCode, *_: Any
    ) -> None:
        self._news.put(_Taken(number, str(reason) if reason.is_failure else ""))

    # And again the thread that polls.

    def _send(self, topic: str, payload: bytes) -> bool:
        sent = self._client.publish(topic, payload, QOS, retain=True)
        if sent.rc not in (MQTTErrorCode.MQTT_ERR_SUCCESS, MQTTErrorCode.MQTT_ERR_NO_CONN):
            return False
        self._in_flight[sent.mid] = topic
        return True

    def _take(self, answer: _Taken) -> None:
        topic = self._in_flight.pop(answer.number, "")
        if answer.refusal and topic not in self._refused:
            self._refused.add(topic)
            _log.warning("the hall refuses %s: %s", topic, answer.refusal)


_REMEDY: Final = (
    "see that the hall runs and that this machine is in its network, or take a new invitation "
    "from the organiser's page"
)
"""Remedy for a hall that does not answer or does not accept a table."""

_REFUSALS: Final = frozenset({0x85, 0x86, 0x87, 0x8A, 0x8C})
"""Reason codes of MQTT 5 that another attempt does not mend: a wrong name, password or right."""


def _will_properties() -> Properties:
    properties = Properties(PacketTypes.WILLMESSAGE)
    properties.WillDelayInterval = WILL_DELAY_S
    return properties


def _session_properties() -> Properties:
    properties = Properties(PacketTypes.CONNECT)
    properties.SessionExpiryInterval = _SESSION_S
    return properties


def _why(login: BrokerLogin, error: OSError) -> str:
    if isinstance(error, OtherHallError):
        return str(error)
    return f"{login.no_answer}: {error.strerror or error}"


def connect_once(invitation: HallInvitation, within_s: float = 10.0) -> HallConnection:
    """Returns a connection for one piece of work; `share` connects again after it.

    Args:
        invitation: the hall.
        within_s: seconds in which the broker has to answer.

    Raises:
        CornerlightError: it does not answer, or does not accept this table.
    """
    login = BrokerLogin.of(invitation)
    hall = HallConnection(login)
    hall.start()
    until = time.monotonic() + within_s
    reason = login.no_answer
    while time.monotonic() < until:
        for news in hall.poll():
            if isinstance(news, Connected):
                return hall
            if isinstance(news, Disconnected):
                reason = news.reason
                until = 0.0 if news.is_refusal else until
        time.sleep(_POLL_S)
    hall.close()
    raise CornerlightError(f"{reason}; {_REMEDY}")
