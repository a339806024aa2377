"""The lines of a check on a terminal, and a command that root can type anywhere."""

import shlex
import subprocess
from pathlib import Path

import pytest

from firmware.commands.checks.check import AS_ROOT, fine, summary, unknown, wrong

LONG = "the supply gave less than 4.63 V at some time since the start of this computer"
COMMAND = "sudo chown -R cornerlight:cornerlight /var/lib/cornerlight && sudo chmod -R u+rwX /var"


def test_lines_are_no_wider_than_the_terminal_but_a_command_stays_whole() -> None:
    lines = wrong("power", LONG, COMMAND).lines(60)
    assert all(len(line) <= 60 for line in lines[:-1])
    assert [line[:11] for line in lines] == ["WRONG      ", *[" " * 11] * (len(lines) - 1)]
    assert lines[-1].endswith(f"mend it: {COMMAND}")


def test_without_a_terminal_a_check_is_one_line() -> None:
    assert fine("power", LONG).lines() == [f"fine       power: {LONG}"]
    assert unknown("power", "no answer").lines() == ["not known  power: no answer"]
    assert unknown("power", "no", "sudo x").lines()[1] == "           to see it: sudo x"


def test_the_summary_names_what_is_not_fine() -> None:
    good, bad, unseen = fine("a", ""), wrong("b", ""), unknown("c", "")
    assert summary([good, good]) == "all 2 checks are fine"
    assert summary([good, bad, unseen, bad]) == "WRONG: b, b; not known: c"
    assert summary([good, unseen]) == "not known: c"


@pytest.mark.slow
def test_root_finds_the_program_wherever_it_is_installed(tmp_path: Path) -> None:
    words = shlex.split(AS_ROOT)
    assert words[0] == "sudo"
    path = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    words = [*words[1:], "--help"]
    done = subprocess.run(words, cwd=tmp_path, env=path, capture_output=True, check=True)
    assert done.stdout.startswith(b"usage: cornerlight doctor")
