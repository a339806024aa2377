"""The checklist of a first evening: one list, filled in where a program can."""

import re
from pathlib import Path

import pytest
import yaml

from firmware.commands.checks import first_evening
from firmware.commands.checks.check import Check, fine, wrong
from firmware.commands.checks.first_evening import LINES, checklist
from firmware.commands.doctor_report import without_secrets
from firmware.machine.units import TABLE
from firmware.settings import describe
from tests.conftest import ROOT
from tests.support.stand_in_computer import StandInComputer

NAMES = [re.split("[,:]", line)[0] for line in LINES]
BY_YOU = [f"{k}. {NAMES[k - 1]}:" for k, line in enumerate(LINES, 1) if ", by you: " in line]

MODE = (
    "[0:40:19.371836349] [8464]  INFO RPI vc4.cpp:622 Sensor: /base/soc/i2c0mux/i2c@1/imx708@1a - "
    "Selected sensor format: 2304x1296-SBGGR10_1X10 - Selected unicam format: 2304x1296-pBAA"
)
"""Message of libcamera about its mode."""


@pytest.fixture
def pi(tmp_path: Path) -> StandInComputer:
    return StandInComputer(tmp_path)


def filled(pi: StandInComputer, *checks: Check) -> dict[str, list[str]]:
    """What is below each line, by its name."""
    settings = ["settings by default:", "  camera.mains_hz = 50", "  lights.limit_ma = 2500.0"]
    found: dict[str, list[str]] = {}
    for row in checklist(pi.computer, list(checks), settings):
        if row.startswith("    "):
            found[[*found][-1]].append(row.strip())
        else:
            number, _, line = row.partition(". ")
            assert line == LINES[int(number) - 1]
            found[NAMES[int(number) - 1]] = []
    assert list(found) == NAMES
    return found


def test_the_document_and_the_form_have_the_same_lines() -> None:
    document = (ROOT / ".github/FIRST_EVENING.md").read_text("utf-8")
    items = re.findall(r"^(\d+)\. (.+(?:\n {3,}.+)*)", document, re.MULTILINE)
    assert [int(number) for number, _ in items] == list(range(1, len(LINES) + 1))
    assert tuple(" ".join(item.replace("**", "").split()) for _, item in items) == LINES
    assert (len(LINES), len(set(NAMES))) == (30, 30)
    forms = {
        path.stem: yaml.safe_load(path.read_text("utf-8"))
        for path in (ROOT / ".github/ISSUE_TEMPLATE").iterdir()
    }
    for form in forms.values():
        assert {"name", "description", "body"} <= form.keys()
        assert all(
            field["type"] == "markdown" or "label" in field["attributes"] for field in form["body"]
        )
    asked = {one.get("id"): one["attributes"] for one in forms["first-evening"]["body"]}
    assert asked["answers"]["value"].splitlines() == BY_YOU


def test_a_program_fills_in_the_lines_that_it_can(pi: StandInComputer) -> None:
    pi.outputs |= {
        ("systemd-analyze",): "Startup finished in 2.1s (kernel) + 9.5s = 11.6s",
        ("vcgencmd", "measure_clock"): "frequency(1)=500000992",
        ("uptime",): "up 1 hour, 3 minutes",
        ("journalctl", "--no-pager"): f"Board found\n{MODE}\n"
        "the exposure kept for the imx708 is dropped, as it is dark; it is set anew",
    }
    pi.units[TABLE]["MemoryCurrent"] = "121634816"
    mend = wrong("lights", "away", "sudo reboot")
    found = filled(pi, fine("camera pictures", "1536x864 pixels, 10.0 a second"), mend)
    assert found["power"] == ["throttled=0x0"]
    assert found["start"] == ["Startup finished in 2.1s (kernel) + 9.5s = 11.6s", "by you:"]
    assert found["camera"] == [MODE]
    assert "sensor format: 2304x1296-SBGGR10_1X10" in without_secrets(MODE)
    assert found["rate"] == ["fine       camera pictures: 1536x864 pixels, 10.0 a second"]
    assert found["exposure"][0].startswith("the exposure kept for the imx708 is dropped")
    assert found["lamp"] == ["camera.mains_hz = 50", "by you:"]
    assert found["current"] == ["lights.limit_ma = 2500.0", "by you:"]
    assert found["colours"] == [
        "WRONG      lights: away",
        "mend it: sudo reboot",
        "frequency(1)=500 million",
        "by you:",
    ]
    assert "MemoryCurrent=121 million" in found["memory"][0]
    assert found["heat"] == ["up 1 hour, 3 minutes"]
    assert [name for name in NAMES if "by you:" in found[name]] == [
        one.split()[1].rstrip(":") for one in BY_YOU
    ]


def test_a_line_about_which_nothing_tells_says_so(pi: StandInComputer) -> None:
    assert filled(pi)["rate"] == ["not known"]
    assert filled(pi)["plug"] == ["by you:"]


def test_each_name_that_a_line_is_filled_by_exists() -> None:
    tables = ("_CHECKS", "_PROGRAMS", "_LOGGED", "_SETTINGS")
    assert set().union(*(getattr(first_evening, one) for one in tables)) <= set(NAMES)
    folder = ROOT / "firmware/commands/checks"
    texts = "".join(path.read_text("utf-8") for path in folder.glob("*.py"))
    known = set(re.findall(r'(?:fine|wrong|unknown|Check)\(\s*"([a-z ]+)"', texts))
    assert {one for names in first_evening._CHECKS.values() for one in names} <= known
    assert set(first_evening._SETTINGS.values()) <= {name for name, *_ in describe()}
    sources = (ROOT / "firmware/cameras").glob("*.py")
    logged = "".join(path.read_text("utf-8") for path in sources)
    assert "of the width" in logged
    assert "exposure kept for" in logged


def test_no_line_of_the_list_is_taken_for_a_secret() -> None:
    assert without_secrets("\n".join(LINES)) == "\n".join(LINES)
