"""The report for those who help: all that is found, and none of the secrets that were planted."""

import json
from argparse import ArgumentParser
from pathlib import Path

import pytest

from firmware.commands import doctor
from firmware.commands.checks.check import AS_ROOT, fine, wrong
from firmware.commands.doctor_report import report
from firmware.commands.main import main
from firmware.session.pairing import Pairing, grouped
from tests.support.stand_in_computer import StandInComputer

PASSWORD, MAIL, PUBLIC = "hunter2-geheim", "ann@example.org", "93.184.216.34"
LOG = ("journalctl", "--no-pager", "-o")
KERNEL = """[    1.0] Command line: root=/dev/mmcblk0p2 macaddr=B8:27:EB:01:02:03 spidev.bufsiz=1
[    2.0] imx708 10-001a: camera module ID 0x0301
[    3.0] hwmon hwmon1: Undervoltage detected!
[    4.0] random: crng init done
"""


@pytest.fixture
def pi(tmp_path: Path) -> StandInComputer:
    return StandInComputer(tmp_path / "root")


def written(pi: StandInComputer, path: Path, config: Path) -> str:
    """The report that the verb writes on a computer."""
    parser = ArgumentParser()
    doctor.configure(parser)
    words = ["--config", str(config), "--report", str(path), "--json"]
    doctor.run(parser.parse_args(words), pi.computer)
    return path.read_text("utf-8")


@pytest.mark.slow
def test_no_secret_that_was_planted_is_in_the_report(
    pi: StandInComputer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "state"
    state.mkdir()
    pairing = Pairing(state / "paired.json")
    number, token = pairing.issue_code(0.0), pairing.pair()
    stored = json.loads((state / "paired.json").read_text())
    config = tmp_path / "table.toml"
    config.write_text(
        f'[camera]\nsource = "http://ann:{PASSWORD}@127.0.0.1:9/video?key={PASSWORD}"\n'
        f'[game]\nnames = ["{MAIL}"]\n[table]\nfolder = "{state}"\n'
    )
    pi.outputs[LOG] = "\n".join(
        [
            f"2026-11-23T12:00:00+0000 pi cornerlight[1]: type {grouped(number)} at the page",
            f"2026-11-23T12:00:01+0000 pi cornerlight[1]: phone {token} from {PUBLIC} came",
            f"2026-11-23T12:00:02+0000 pi cornerlight[1]: http://ann:{PASSWORD}@cam/ is away",
            "2026-11-23T12:00:03+0000 pi cornerlight[1]: the camera gives no pictures",
            "2026-11-23T12:00:04+0000 pi systemd[1]: Started cornerlight-player@0-1-990.service.",
        ]
    )
    pi.outputs["dmesg",] = KERNEL
    text = written(pi, tmp_path / "report.txt", config)
    secrets = [PASSWORD, MAIL, PUBLIC, number, grouped(number), token, "B8:27:EB"]
    secrets += [*stored["phones"], stored["offered"]["hash"]]
    assert [one for one in secrets if one in text] == []
    assert "cornerlight[1]: the camera gives no pictures" in text
    assert "imx708 10-001a: camera module ID" in text
    assert "Undervoltage detected!" in text
    assert "crng" not in text
    assert "Started cornerlight-player" in text
    assert "[camera]" not in text
    capsys.readouterr()


def test_the_report_has_checks_versions_and_settings(pi: StandInComputer) -> None:
    checks = [fine("clock", "set"), wrong("page", "away", "sudo systemctl restart x")]
    text = report(pi.computer, checks, ["settings by default:", "  game.hints = 0"])
    assert "WRONG      page: away\n           mend it: sudo systemctl restart x\n" in text
    assert "WRONG: page" in text
    assert "numpy==" in text
    assert "== checklist\n\n1. power: " in text
    assert "\n    WRONG      page: away\n" in text
    assert "  game.hints = 0" in text
    assert text.count(f"not readable here; run: {AS_ROOT} --report") == 2


@pytest.mark.slow
def test_a_report_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--report", str(tmp_path / "\udcff.txt")]) != 2
    capsys.readouterr()
    for path in (tmp_path, tmp_path / "none" / "report.txt"):
        assert main(["doctor", "--report", str(path)]) == 2
        output, error = capsys.readouterr()
        assert "13,729 placements" in output, "what was found is not lost"
        assert error.startswith(f"cornerlight: cannot write the report {path}: ")
        assert error.count("\n") == 1
