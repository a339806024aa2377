"""A photograph is judged in a process of its own, which may hang, eat memory, or fail."""

import os
import struct
import sys
import threading
import time
from pathlib import Path

import pytest

from firmware.storage import photograph_judge
from firmware.storage.photograph_judge import PhotographJudge
from tests.support.drawn_boards import BROKEN_ROWS, flat_board, photograph
from tests.support.process_tree import children
from tests.support.waiting import eventually
from vision.errors import BoardFailure
from vision.io.image_file import encode_jpeg
from web.contract import Mark, Page, Rule
from web.i18n.wording import Wording

PHOTOGRAPH = encode_jpeg(photograph(flat_board(BROKEN_ROWS)), 85)
COVERED = encode_jpeg(photograph(flat_board([]))[:400, :400], 85)
SAYS_ALL = """
import os, resource, sys
path = sys.argv[1]
print(os.getpriority(os.PRIO_PROCESS, 0), open("/proc/self/oom_score_adj").read().strip(),
      resource.getrlimit(resource.RLIMIT_DATA)[1], os.environ["OMP_NUM_THREADS"],
      os.path.getsize(path), path, file=open("{}", "w"))
"""


@pytest.fixture
def _idle_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets other tests, which load the machine, not make a photograph late."""
    monkeypatch.setattr(photograph_judge, "_LOWEST", 0)
    monkeypatch.setattr(photograph_judge, "_LONGEST_S", 60.0)


def fake(program: str) -> PhotographJudge:
    """A judge whose program is another one."""
    return PhotographJudge([sys.executable, "-c", program])


def of_size(width: int, height: int) -> bytes:
    """The photograph with another size in its header."""
    at = PHOTOGRAPH.index(b"\xff\xc0") + 5
    return PHOTOGRAPH[:at] + struct.pack(">HH", height, width) + PHOTOGRAPH[at + 4 :]


@pytest.mark.usefixtures("_idle_machine")
def test_position_score_and_fault_are_told() -> None:
    page = PhotographJudge().judge(PHOTOGRAPH)
    assert isinstance(page, Page)
    page.check()
    assert (page.title, page.size) == ("Duo", 14)
    colours = {one.name: one for one in page.colours}
    assert {name: one.score for name, one in colours.items()} == {"purple": -83, "orange": -85}
    assert [one.letter for one in page.colours] == [one.name[0].upper() for one in page.colours]
    assert "I4" not in {piece.name for piece in colours["orange"].left}
    assert len(colours["orange"].left) == 20
    (refused,) = page.refused
    assert page.colours[refused.colour].name == "purple"
    assert [page.square_name(one) for one in refused.squares] == ["l13", "m13"]
    assert [reason.rule for reason in refused.reasons] == [Rule.NO_OWN_CORNER]
    drawn = {page.square_name(s): one for one in page.pieces for s in one.squares}
    assert set(drawn) == {"e10", "e9", "e8", "e7", "j5", "j4", "j3", "j2", "l13", "m13"}
    assert [one for one, piece in drawn.items() if piece.mark is Mark.REFUSED] == ["l13", "m13"]


@pytest.mark.usefixtures("_idle_machine")
def test_a_picture_without_a_board_has_the_reason_of_read() -> None:
    assert PhotographJudge().judge(COVERED) == f"board-failures.{BoardFailure.COVERED}"


@pytest.mark.parametrize(
    ("sent", "key"),
    [
        (b"", "photograph.damaged"),
        (b"no picture", "photograph.damaged"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "photograph.damaged"),
        (PHOTOGRAPH[:200], "photograph.damaged"),
        (of_size(40_000, 40_000), "photograph.too-large"),
        (of_size(1601, 1600), "photograph.too-large"),
    ],
)
def test_what_is_no_fit_photograph_starts_no_process(sent: bytes, key: str, tmp_path: Path) -> None:
    started = tmp_path / "started"
    assert fake(f"open({str(started)!r}, 'w')").judge(sent) == key
    assert not started.exists()


@pytest.mark.usefixtures("_idle_machine")
def test_a_photograph_that_is_cut_off_is_damaged() -> None:
    assert PhotographJudge().judge(PHOTOGRAPH[: len(PHOTOGRAPH) // 2]) == "photograph.damaged"


def test_the_process_has_the_lowest_priority_and_little_memory(tmp_path: Path) -> None:
    told = tmp_path / "told"
    fake(f"import time; time.sleep(0.3)\n{SAYS_ALL.format(told)}").judge(PHOTOGRAPH)
    *limits, length, path = told.read_text().split()
    assert limits == ["19", "1000", "220000000", "1"]
    assert int(length) == len(PHOTOGRAPH)
    assert not Path(path).parent.exists()


def test_a_process_that_hangs_is_killed_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert photograph_judge._LONGEST_S < 10
    monkeypatch.setattr(photograph_judge, "_LONGEST_S", 1.0)
    began, before = time.monotonic(), children(os.getpid())
    assert fake("import time; time.sleep(60)").judge(PHOTOGRAPH) == "photograph.slow"
    assert time.monotonic() - began < 5
    assert children(os.getpid()) <= before


@pytest.mark.usefixtures("_idle_machine")
@pytest.mark.parametrize(
    "program", ["x = bytearray(300_000_000)", "raise SystemExit(3)", "print('{')"]
)
def test_a_process_that_fails_is_told_and_logged(
    program: str, caplog: pytest.LogCaptureFixture
) -> None:
    # The limit is there before a program of some length begins.
    judge = fake(f"import time; time.sleep(0.3); {program}")
    assert judge.judge(PHOTOGRAPH) == "photograph.failed"
    assert len(caplog.records) == 1


def test_a_second_photograph_is_refused_at_once_and_a_third_after_it_is_not(tmp_path: Path) -> None:
    go_on = tmp_path / "go on"
    judge = fake(f"import os, time\nwhile not os.path.exists({str(go_on)!r}): time.sleep(0.01)")
    before, answers = children(os.getpid()), list[object]()
    first = threading.Thread(target=lambda: answers.append(judge.judge(PHOTOGRAPH)))
    first.start()
    eventually(lambda: children(os.getpid()) - before)
    assert judge.judge(PHOTOGRAPH) == "photograph.busy"
    go_on.touch()
    first.join()
    assert answers == [judge.judge(PHOTOGRAPH)] == ["photograph.failed"]


def test_every_answer_is_a_text() -> None:
    source = Path(photograph_judge.__file__).read_text()
    keys = {
        word.strip('",') for word in source.split() if word.strip('",').startswith("photograph.")
    }
    keys |= {f"board-failures.{one}" for one in BoardFailure}
    assert all(Wording(language).say(key) for language in ("en", "de", "ja") for key in keys)
