"""Switching off by a command: only where systemd waits for it."""

from argparse import Namespace
from pathlib import Path

import pytest

from firmware.commands import shutdown
from firmware.errors import CornerlightError
from firmware.machine.computer import Computer
from tests.conftest import ROOT


@pytest.mark.parametrize("waits", [True, False])
@pytest.mark.parametrize("runs", [True, False])
def test_it_writes_the_file_only_where_the_table_is_a_service(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, waits: bool, runs: bool
) -> None:
    asked = []

    def ask(words: tuple[str, ...]) -> str | None:
        asked.append(words)
        return "active" if waits else None

    file = tmp_path / "run" / "cornerlight" / "power-off"
    if runs:
        file.parent.mkdir(parents=True)
    if waits and runs:
        assert shutdown.run(Namespace(), Computer(tmp_path, ask)) == 0
        assert file.exists()
        assert "the machine switches off" in capsys.readouterr().out
    else:
        with pytest.raises(CornerlightError, match="run: sudo poweroff"):
            shutdown.run(Namespace(), Computer(tmp_path, ask))
        assert not file.exists()
    assert asked == [("systemctl", "is-active", "cornerlight-power-off.path")]


def test_it_is_the_file_of_the_unit() -> None:
    unit = (ROOT / "systemd" / "cornerlight-power-off.path").read_text()
    assert f"PathChanged={shutdown.FILE}" in unit.replace("%t", "/run")
