"""The program without a room that can be taken out passes the tests that remain."""

from pathlib import Path

import pytest

from tests.evaluation.walls import ROOMS, copy_without, run_in

QUICK = (
    "tests/firmware/assembly",
    "tests/firmware/commands",
    "tests/firmware/game",
    "tests/firmware/session",
    "tests/firmware/storage",
    "tests/web",
)
"""The folders whose quick tests are run; `python -m tests.evaluation walls` runs all tests."""


VERBS = {
    "hall": ("join", "share", "unshare", "hall"),
    "player": ("hint", "solve", "gtp"),
}
"""The verbs of each room."""


@pytest.mark.parametrize("room", ROOMS)
def test_the_program_passes_its_tests_without_a_room(room: str, tmp_path: Path) -> None:
    copy = copy_without(room, tmp_path)
    done = run_in(copy, ["-m", "pytest", "-q", "-m", "not slow", *QUICK])
    assert done.returncode == 0, "\n".join(done.stdout.splitlines()[-40:])
    for verb in VERBS[room]:
        done = run_in(copy, ["-m", "firmware", verb])
        said = f"cornerlight: {verb} is not installed; install a complete release\n"
        assert (done.returncode, done.stderr) == (2, said)
    found = run_in(copy, ["-m", "firmware", "doctor", "--release"]).stdout
    missing = f"verbs: not a part of this program: {', '.join(VERBS[room])};"
    assert missing in " ".join(found.split())
