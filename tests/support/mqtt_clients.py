"""Clients of a hall's broker that note what they get and what they are refused."""

import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.reasoncodes import ReasonCode

WAIT_S = 5.0
"""Greatest seconds for an answer of the broker."""


class NotingClient:
    """A client of MQTT 5 over TLS.

    Args:
        port: port of the broker on this machine.
        authority: certificate of the hall.
        user: name of the client.
        password: its password.
        client: id of the client; empty for one that the broker gives.
        at: address of the broker, whose name is not compared unless it is this machine.
        source: address of this machine to connect from; empty for any.

    Attributes:
        messages: payloads of the received messages by topic, in order.
        drops: number of lost connections.
    """

    def __init__(
        self,
        port: int,
        authority: Path,
        user: str,
        password: str,
        client: str = "",
        *,
        at: str = "localhost",
        source: str = "",
    ) -> None:
        self.messages: dict[str, list[bytes]] = {}
        self.drops = 0
        self._connected = threading.Event()
        self._reason: ReasonCode | None = None
        self._news = threading.Condition()
        self._answers: dict[int, ReasonCode] = {}
        self._client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=client,
            protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=False,
        )
        self._client.username_pw_set(user, password)
        self._client.tls_set(str(authority))
        self._client.tls_insecure_set(at != "localhost")
        self._client.on_connect = self._on_connect
        self._client.on_disconnect = self._on_disconnect
        self._client.on_message = self._on_message
        self._client.on_publish = self._on_answer
        self._client.on_subscribe = self._on_subscribe
        self._client.connect(at, port, keepalive=10, bind_address=source)
        self._client.loop_start()

    @property
    def is_connected(self) -> bool:
        """True once the broker has accepted it, and while it is connected."""
        self._connected.wait(WAIT_S)
        return self._client.is_connected() and not self.refusal

    @property
    def refusal(self) -> str:
        """Reason for which the broker refused the connection; empty if it did not."""
        self._connected.wait(WAIT_S)
        return str(self._reason) if self._reason is not None and self._reason.is_failure else ""

    def publish(self, topic: str, payload: bytes | str, *, retain: bool = False) -> str:
        """Publishes a message; returns the broker's answer."""
        assert self.is_connected, self.refusal
        return self._answer(self._client.publish(topic, payload, 1, retain).mid)

    def send(self, topic: str, payload: bytes) -> None:
        """Publishes a retained message, and does not wait for an answer."""
        self._client.publish(topic, payload, 1, retain=True)

    def subscribe(self, topic: str) -> str:
        """Subscribes to a topic; returns the broker's answer."""
        assert self.is_connected, self.refusal
        number = self._client.subscribe(topic, 1)[1]
        assert number is not None
        return self._answer(number)

    def wait_for(self, topic: str, count: int = 1) -> list[bytes]:
        """Returns the payloads of a topic once there are some.

        Raises:
            TimeoutError: they do not come.
        """
        with self._news:
            if not self._news.wait_for(lambda: len(self.messages.get(topic, [])) >= count, WAIT_S):
                raise TimeoutError(f"{topic} has no {count} messages: {self.messages}")
            return list(self.messages[topic])

    def close(self) -> None:
        """Disconnects."""
        self._client.disconnect()
        self._client.loop_stop()
        rest = self._client.socket()
        if rest is not None:  # of a connection that was refused
            rest.close()
        # Without a circle of references, the library closes its other sockets now.
        client = self._client
        client.on_connect = client.on_disconnect = client.on_message = None
        client.on_publish = client.on_subscribe = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def _answer(self, number: int) -> str:
        with self._news:
            assert self._news.wait_for(lambda: number in self._answers, WAIT_S), "no answer"
            return str(self._answers[number])

    def _on_connect(self, client: Any, data: Any, flags: Any, reason: ReasonCode, *_: Any) -> None:
        self._reason = reason
        self._connected.set()

    def _on_disconnect(self, *_: Any) -> None:
        self.drops += 1

    def _on_message(self, client: Any, data: Any, message: MQTTMessage) -> None:
        with self._news:
            self.messages.setdefault(message.topic, []).append(bytes(message.payload))
            self._news.notify_all()

    def _on_answer(self, client: Any, data: Any, mid: int, reason: ReasonCode, *_: Any) -> None:
        with self._news:
            self._answers[mid] = reason
            self._news.notify_all()

    def _on_subscribe(
        self, client: Any, data: Any, mid: int, reasons: list[ReasonCode], *_: Any
    ) -> None:
        self._on_answer(client, data, mid, reasons[0])
