"""Messages and documents name what is there: verbs, options, targets, packages, units, settings.

They are collected by their source text, with braces for values.
"""

import argparse
import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from firmware.commands.main import VERBS, module_of
from firmware.settings import describe
from tests.conftest import ROOT
from tests.test_docs import DOCUMENTS

MAKEFILE = (ROOT / "Makefile").read_text()
INSTALLER = (ROOT / "systemd/installer.py").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = {**PROJECT["optional-dependencies"], "": PROJECT["dependencies"]}

SYSTEM_OPTIONS = {
    "--add-port": "firewall-cmd",
    "--list-cameras": "rpicam-hello",
    "--now": "systemctl",
    "--reload": "udevadm control",
    "--vacuum-size": "journalctl",
}
"""Options of programs of the system, each with its program."""


def sentences(tree: ast.AST) -> Iterator[str]:
    """Yields the texts of a module that are no docstrings, with braces for values."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    inner = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node)
        if part is not node
    }
    for node in ast.walk(tree):
        if id(node) in docstrings | inner:
            continue
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def messages() -> dict[str, list[str]]:
    """Returns the texts of the program, of its translations and of the documents, by file."""
    found = {
        str(path.relative_to(ROOT)): list(sentences(ast.parse(path.read_text())))
        for top in ("firmware", "vision", "web", "systemd")
        for path in sorted((ROOT / top).rglob("*.py"))
    }
    for path in sorted((ROOT / "web/translations").rglob("*.toml")):
        found[str(path.relative_to(ROOT))] = re.findall(r'"(.*)"', path.read_text())
    changes = (ROOT / ".github/CHANGELOG.md").read_text()
    return found | {name: [text] for name, text in DOCUMENTS.items()} | {"CHANGELOG": [changes]}


MESSAGES = messages()
TEXTS = [(file, text) for file, texts in MESSAGES.items() for text in texts]
PROGRAM = [one for one in TEXTS if one[0].endswith(".py")]


def named(pattern: str, texts: list[tuple[str, str]] = TEXTS) -> list[tuple[str, str]]:
    """Returns the name that a pattern finds at each place in the texts, each with its file."""
    found = [(file, one[1]) for file, text in texts for one in re.finditer(pattern, text)]
    assert found, "the pattern finds nothing any more"
    return found


@cache
def options(verb: str) -> frozenset[str]:
    """Returns the options of a verb, and of the kinds that it has."""
    parser = argparse.ArgumentParser()
    module_of(verb).configure(parser)
    parsers = [parser]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            parsers += action.choices.values()
    return frozenset(one for each in parsers for one in each._option_string_actions)


def test_a_verb_that_is_named_exists() -> None:
    for file, verb in named(r"(?<!folder )cornerlight ([a-z][a-z-]+)"):
        assert verb in VERBS, f"{file} names cornerlight {verb}"


def test_an_option_that_is_named_with_its_verb_is_one_of_it() -> None:
    for file, words in named(r"cornerlight ([a-z][a-z-]+(?: [^\s`;,()#]+)+)"):
        verb = words.split()[0]
        for option in re.findall(r"(?<= )--[a-z][a-z-]+", words):
            assert option in options(verb), f"{file}: cornerlight {verb} has no {option}"


def test_an_option_that_is_named_alone_exists() -> None:
    known = frozenset[str]().union(SYSTEM_OPTIONS, *map(options, VERBS))
    ours = [one for one in PROGRAM if not one[0].startswith("systemd")]
    texts = [(file, text) for file, text in ours if re.search(r"[a-z] .*--[a-z]", text)]
    for file, option in named(r"(?<= )(--[a-z][a-z-]+)", texts):
        assert option in known, f"{file} names {option}"
    for option, program in SYSTEM_OPTIONS.items():
        assert any(program in text and option in text for _, text in PROGRAM), option


def test_a_target_of_make_that_is_named_exists() -> None:
    for file, target in named(r"(?m)(?:sudo |`|^    )make ([a-z][a-z0-9-]*)\b"):
        assert re.search(rf"^{target}(?: [\w ]+)?:(?!=)", MAKEFILE, re.MULTILINE), (
            f"{file}: {target}"
        )


def test_a_library_that_is_to_be_installed_is_one_of_ours() -> None:
    ours = {Requirement(one).name for extra in EXTRAS.values() for one in extra}
    calls = {
        file: re.findall(r"install_command\(([^*)]+)\)", (ROOT / file).read_text())
        for file in MESSAGES
        if file.startswith("firmware/") and file.endswith(".py")
    }
    names = [
        one for found in calls.values() for call in found for one in re.findall(r"[\w-]+", call)
    ]
    assert len(names) > 5
    assert set(names) <= ours
    club = {Requirement(one).name for one in EXTRAS["club"]}
    assert set(re.findall(r"[\w-]+", calls["firmware/hall/verbs/club_link.py"][0])) == club
    for file, name in named(r"pip install ([\w'.\[\]{}-]+)"):
        by_function = file == "firmware/errors.py"
        assert by_function or (file not in dict(PROGRAM) and name in ours), f"{file}: {name}"


def test_a_package_of_the_system_is_one_that_we_install_ourselves() -> None:
    for file, name in named(r"apt(?:-get)? install (?:--\w+ )*([\w-]+)"):
        assert f'"{name}"' in INSTALLER or f" {name}" in MAKEFILE, f"{file} names {name}"


def test_a_unit_that_is_named_exists() -> None:
    pattern = r"(?:systemctl(?: [a-z-]+)+|journalctl -u) (cornerlight-[a-z]+)"
    for file, unit in named(pattern):
        assert list((ROOT / "systemd").glob(f"{unit}*.s*")), f"{file} names {unit}"


def test_a_setting_that_is_named_exists() -> None:
    known = {name for name, *_ in describe()}
    rooms = "|".join({name.partition(".")[0] for name in known})
    endings = "toml|py|json|blksgf|jpg|local|example|png"
    pattern = rf"(?<![\w./-])((?:{rooms})\.(?!{endings})[a-z_]+)"
    # Templates of the page name its parts like settings; the changelog names what was removed.
    texts = [one for one in TEXTS if not re.fullmatch(r"web/.*\.py|CHANGELOG", one[0])]
    for file, setting in named(pattern, texts):
        assert setting in known, f"{file} names {setting}"


@pytest.mark.parametrize("path", sorted((ROOT / "systemd").glob("cornerlight-*.service")), ids=str)
def test_a_service_runs_a_verb_with_its_options(path: Path) -> None:
    for verb, words in re.findall(r"bin/cornerlight ([a-z-]+)(.*)", path.read_text()):
        assert set(re.findall(r"--[a-z-]+", words)) <= options(verb)
