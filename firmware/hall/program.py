"""The whole of a hall but its pages: broker, roster, journal and organiser, put together."""

from collections.abc import Iterable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final, Self

from firmware.hall.bridge import Bridge
from firmware.hall.journal import FILE, HallJournal
from firmware.hall.names import RETENTION_DAYS
from firmware.hall.organiser import HallCallbacks, HallFacts, Organiser
from firmware.hall.running_hall import RunningHall


class HallProgram:
    """A hall between `__enter__` and `__exit__`.

    Args:
        folder, name, version, hosts, port, bridge: see `RunningHall`.
        names_days: days after which a player's name is forgotten.

    Raises:
        CornerlightError: another hall runs on the folder, or the broker cannot be started.
        UnreadableError: the folder or the journal cannot be used.

    Attributes:
        hall: the parts that tables reach.
        organiser: what the pages show and ask for.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        version: str,
        hosts: Iterable[str],
        *,
        port: int | None = None,
        bridge: Bridge | None = None,
        names_days: int = RETENTION_DAYS,
    ) -> None:
        self._stack: Final = ExitStack()
        with ExitStack() as failed:
            failed.enter_context(self._stack)
            self.hall: Final = RunningHall(folder, name, version, hosts, port=port, bridge=bridge)
            self._stack.callback(self.hall.close)
            journal = self._stack.enter_context(closing(HallJournal(folder / FILE)))
            hall, client = self.hall, self.hall.client
            callbacks = HallCallbacks(client.publish, client.clear_table, hall.invitation_uri)
            facts = HallFacts(name, version, names_days)
            self.organiser: Final = Organiser(folder, facts, journal, hall.roster, callbacks)
            self._stack.callback(self.organiser.close)
            client.on_message = self.organiser.monitor.receive
            client.on_link = lambda connected: self.organiser.connection(is_connected=connected)
            failed.pop_all()

    def __enter__(self) -> Self:
        with ExitStack() as failed:
            failed.enter_context(self._stack)
            self._stack.enter_context(self.hall)
            self.organiser.start()
            failed.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
