"""A service of ten lines takes part without a change of the loop."""

from pathlib import Path
from typing import TYPE_CHECKING

from firmware.game.config import GameConfig
from firmware.game.events import ArbiterCalled, Event, MoveAccepted
from firmware.rules.variants import GAMES
from firmware.session.service import ServiceStatus, TableService
from tests.support.fake_table import FakeTable
from web.contract import MachineStatus

if TYPE_CHECKING:
    from collections.abc import Sequence


class CallsAfterTwoMoves(TableService):
    """Calls the arbiter once two pieces lie, and says that the computer is hot until then."""

    moves = 0

    def happened(self, events: "Sequence[Event]") -> None:
        self.moves += sum(isinstance(event, MoveAccepted) for event in events)

    def poll(self) -> None:
        if self.moves == 2 and self.table.session.state.call is None:
            self.table.enter(ArbiterCalled(0, 0.0))

    def show(self, status: ServiceStatus) -> None:
        status.machine = MachineStatus(hot=self.moves < 2, celsius=81 if self.moves < 2 else None)


class TableWithCaller(FakeTable):
    """A table whose composition has one more service, and nothing else."""

    def __init__(self, folder: Path) -> None:
        self.services = [CallsAfterTwoMoves()]
        super().__init__(folder, GameConfig(GAMES["duo"]))


def test_a_service_hears_acts_and_shows_without_a_change_of_the_loop(tmp_path: Path) -> None:
    made = TableWithCaller(tmp_path)
    made.lay("purple", "e10")
    assert made.page.machine.hot
    assert made.state.call is None
    made.lay("orange", "j5")
    made.look()
    assert made.state.call is not None
    assert not made.page.machine.hot
    assert sum(isinstance(event, ArbiterCalled) for event in made.events) == 1
    made.close()
