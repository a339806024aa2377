"""The command line as a user types it, in a process of its own where that matters."""

import errno
import json
import os
import random
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from firmware.commands.bench import PARTS
from firmware.commands.main import ONE_THREAD, VERBS, main
from firmware.settings import parse
from tests.conftest import ROOT
from tests.evaluation.benchmarks import PARTS as BENCHMARKS
from tests.evaluation.file_fuzz.texts import damaged_record
from tests.support.engine_games import DATA

pytestmark = pytest.mark.slow

GAME = "duo_pentobi_game10.blksgf"


def cornerlight(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "firmware", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


def test_help_names_every_verb_and_loads_none() -> None:
    code = (
        "import sys, firmware.commands.main\n"
        "try: firmware.commands.main.main(['--help'])\n"
        "except SystemExit: pass\n"
        "print('numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.endswith("False\n")
    for verb in VERBS:
        assert f"  {verb} " in done.stdout


def test_a_verb_and_what_it_starts_compute_in_one_thread() -> None:
    code = (
        "import firmware.commands.main, os\n"
        "try: firmware.commands.main.main(['perft', '1'])\n"
        "finally: print(os.environ['OPENBLAS_NUM_THREADS'])"
    )
    bare = {name: value for name, value in os.environ.items() if name not in ONE_THREAD}
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, env=bare, check=True)
    assert done.stdout == "828\n1\n"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([verb, "--help"])
    assert caught.value.code == 0
    assert f"example: cornerlight {verb}" in capsys.readouterr().out.replace("\n", " ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["demo", "--computer", "-,storng"], "there is no level 'storng'"),
        (["prft"], "there is no verb 'prft'; did you mean perft"),
        (["xyz"], "the verbs are demo, run, page"),
        (["--colour"], "unrecognized arguments: --colour"),
        (["perft"], "the following arguments are required: DEPTH"),
        (["perft", "-1"], "DEPTH"),
        (["page", "--port", "70000"], "a port from 0 to 65535, not '70000'"),
        (["perft", "--game", "chess", "1"], "invalid choice: 'chess'"),
        (["replay", "none.blksgf"], "cannot read none.blksgf: No such file or directory; give"),
        (["replay", "."], "cannot read .: Is a directory"),
        (["replay", "/dev/zero"], "cannot read /dev/zero: it is a pipe or a device, not a file; g"),
        (["replay", "a\n\x1b[2J\u202e.blksgf"], "read a\\n\\x1b[2J\\u202e.blksgf: No such file"),
        (["replay", "Makefile"], "Makefile: line 1, column 1: a record begins with '('"),
        (["doctor", "--config", "none.toml"], "cannot read the settings none.toml"),
    ],
)
def test_wrong_use_is_one_line_and_exit_status_2(words: list[str], message: str) -> None:
    done = cornerlight(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_verb_of_a_room_that_was_taken_out_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("firmware.commands.main.rooms_with", lambda _: [])
    assert main(["share"]) == 2
    message = "cornerlight: share is not installed; install a complete release\n"
    assert capsys.readouterr().err == message


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m firmware replay {DATA / 'duo_pentobi_game10.blksgf'} | head -1"
    done = subprocess.run(
        ["/bin/sh", "-c", command], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0
    assert done.stderr == ""


def test_a_disk_that_is_full_is_reported() -> None:
    with Path("/dev/full").open("w") as full:
        words = [sys.executable, "-m", "firmware", "replay", str(DATA / GAME)]
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "cornerlight: No space left on device; what was printed is not whole\n"


def test_a_folder_that_cannot_be_entered_is_named_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), "/var/lib/closed/games")

    monkeypatch.setattr(Path, "stat", refused)
    assert main(["page", "--games", "/var/lib/closed/games"]) == 2
    message = "cornerlight: /var/lib/closed/games: Permission denied; use sudo, or another path\n"
    assert capsys.readouterr().err == message


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("words", [["--json"], ["--board"]])
def test_no_broken_record_breaks_the_command(
    words: list[str], seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(seed)  # noqa: S311
    path = tmp_path / "broken.blksgf"
    path.write_bytes(damaged_record((DATA / GAME).read_bytes(), chance))
    assert main(["replay", *words, str(path)]) in (0, 1, 2)


@pytest.mark.parametrize(
    ("words", "count"),
    [
        (["--game", "duo", "1"], 828),
        (["--game", "duo", "2"], 342_792),
        (["--game", "duo", "--starts", "fixed", "2"], 171_396),
        (["--game", "classic", "--starts", "fixed", "3"], 195_112),
        (["--game", "classic", "2"], 40_368),
    ],
)
def test_perft_prints_the_known_numbers(
    words: list[str], count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["perft", *words]) == 0
    assert capsys.readouterr().out == f"{count}\n"
    assert main(["perft", "--json", *words]) == 0
    assert json.loads(capsys.readouterr().out)["sequences"] == count


def test_doctor_finds_the_rules_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "table.toml"
    config.write_text('[game]\ngame = "duo-4"\n')
    assert main(["doctor", "--config", str(config), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert all(check["fine"] for check in found["checks"])
    assert found["settings"]["game.game"] == "duo-4"
    assert main(["doctor"]) == 0
    assert "13,729 placements on 14x14" in capsys.readouterr().out


def test_doctor_accepts_the_example_of_the_settings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--config", str(ROOT / "firmware" / "table.example.toml")]) == 0
    output = capsys.readouterr().out
    assert '  game.names = ["Ada", "Ben"]\n' in output
    settings = [line.strip() for line in output.splitlines() if line.startswith("  ")]
    assert parse(tomllib.loads("\n".join(settings))).clock.timing == "increment"


def test_bench_measures_the_parts_that_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "reader", "referee", "journal", "lights", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows
    assert all(figure >= 0 for row in rows.values() for figure in row.values())


@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_bench_has_a_long_form(part: str) -> None:
    assert part in BENCHMARKS
    assert callable(import_module(f"tests.evaluation.benchmarks.{part}").measure)
