"""The README says what the program does: its examples run, its tables are the code's."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.commands.main import VERBS
from firmware.settings import describe
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text()
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
    table = re.findall(r"^\| `\w+\.\w+` .*$", README, re.MULTILINE)
    assert table == rows


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_is_in_the_readme(verb: str) -> None:
    assert f"cornerlight {verb}" in README


def test_every_folder_and_file_the_readme_names_is_there() -> None:
    for name in re.findall(r"`((?:tests|firmware|vision|web|hardware|systemd)/[\w/.-]+)`", README):
        assert (ROOT / name).exists(), name
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", README)
    assert pictures
    assert all((ROOT / name).exists() for name in pictures)


def test_the_project_speaks_of_itself_alone() -> None:
    listed = subprocess.run(
        ["git", "ls-files"],  # noqa: S607
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    ).stdout.split()
    if not listed:
        pytest.skip("not a git checkout")
    # Folders of a machine: homes, and wherever this checkout happens to lie.
    folders = ["/root/", "/home/", *([f"{ROOT.parent}/"] if ROOT.parent.name else [])]
    for name in listed:
        path = Path(ROOT / name)
        if path.suffix in {".py", ".md", ".toml", ".html", ".js", ".css"}:
            named = [folder for folder in folders if folder in path.read_text()]
            assert not named or name == "tests/test_docs.py", f"{name} names {named}"
