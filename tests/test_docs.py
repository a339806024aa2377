"""The documents are correct: examples run, tables agree with the code, links exist."""

import doctest
import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from tempfile import gettempdir

import pytest

from firmware.commands.main import VERBS
from firmware.game.levels import level_name
from firmware.player.search.levels import LEVELS
from firmware.settings import describe
from tests.conftest import ROOT
from tests.support.picamera2_answers import ANSWERS, row_of

DOCUMENTS = {
    name: (ROOT / name).read_text()
    for name in (
        "README.md",
        "firmware/README.md",
        "vision/README.md",
        "web/README.md",
        "systemd/README.md",
        "hardware/README.md",
        "hardware/twenty_minutes/README.md",
        "hardware/club_table/README.md",
        "hardware/club_table/wiring.md",
        "hardware/glowing_board/README.md",
        "hardware/glowing_board/wiring.md",
        ".github/ARCHITECTURE.md",
        ".github/CONTRIBUTING.md",
        ".github/FIRST_EVENING.md",
    )
}
README = DOCUMENTS["README.md"]
EXAMPLES = [
    (line.removeprefix("$ "), block.split(line + "\n", 1)[1].split("\n$ ")[0])
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    for line in re.findall(r"^\$ cornerlight .*$", block, re.MULTILINE)
]


def test_python_in_the_readme_runs() -> None:
    found = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize(("command", "expected"), EXAMPLES, ids=[c for c, _ in EXAMPLES])
def test_a_command_in_the_readme_prints_what_it_shows(command: str, expected: str) -> None:
    words = [sys.executable, "-m", "firmware", *command.split()[1:]]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, check=True)
    shown = [re.escape(part) for part in expected.strip().split("\n...\n")]
    assert re.fullmatch(r"(.*\n)*?".join(shown) + r"\s*", done.stdout.strip())


def test_every_setting_is_documented_as_it_is() -> None:
    rows = [f"| `{name}` | {may} | `{default}` | {why} |" for name, may, default, why in describe()]
    text = DOCUMENTS["firmware/README.md"]
    table = re.findall(r"^\| `\w+\.\w+` .*$", text, re.MULTILINE)
    assert table == rows


def test_every_level_of_the_player_is_documented_as_it_is() -> None:
    rows = re.findall(
        r"^\| (\d+ \(\w+\)) \| ([\d,]+) \| ([\d.]+) \|",
        DOCUMENTS["firmware/README.md"],
        re.MULTILINE,
    )
    assert sorted(rows, key=lambda row: int(row[0].split()[0])) == [
        (level_name(level), f"{one.simulations:,}", f"{one.temperature:g}")
        for level, one in enumerate(LEVELS, 1)
    ]


def test_the_answers_of_picamera2_are_documented() -> None:
    table = DOCUMENTS["systemd/README.md"].partition("| asked of picamera2 |")[2]
    rows = table.partition("\n\n")[0].splitlines()[2:]
    assert [row.rsplit("|", 2)[0] + "|" for row in rows] == [row_of(*one) for one in ANSWERS]


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_is_in_a_document(verb: str) -> None:
    assert any(f"cornerlight {verb}" in text for text in DOCUMENTS.values())


def test_the_readme_is_short() -> None:
    assert len(README.split()) <= 1200


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_folder_and_file_a_document_names_is_there(document: str) -> None:
    text = DOCUMENTS[document]
    for name in re.findall(r"`((?:tests|firmware|hardware|vision|web)/[\w/.-]+)`", text):
        assert (ROOT / name).exists(), name
    for name in re.findall(r"\]\(([^):]+)\)", text):
        assert (ROOT / document).parent.joinpath(name).exists(), name


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_module_that_a_document_has_run_is_there(document: str) -> None:
    for name in re.findall(r"python -m ([\w.]+)", DOCUMENTS[document]):
        assert importlib.util.find_spec(name) is not None, name


def test_the_project_speaks_of_itself_alone() -> None:
    listed = subprocess.run(
        ["git", "ls-files"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    ).stdout.split()
    if not listed:
        pytest.skip("not a git checkout")
    # Folders of one machine: home folders, and the location of this checkout.
    shared = ("/", gettempdir())
    folders = ["/root/", "/home/", *([f"{ROOT.parent}/"] if str(ROOT.parent) not in shared else [])]
    for name in listed:
        path = Path(ROOT / name)
        if path.suffix in {".py", ".md", ".toml", ".html", ".js", ".css"}:
            named = [folder for folder in folders if folder in path.read_text()]
            assert not named or name == "tests/test_docs.py", f"{name} names {named}"
