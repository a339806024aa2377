"""Golden output: the lines of JSON that `replay`, `watch` and `read` print of what the tests hold.

`replay` of every record, `watch` of every scripted game as a folder of JPEGs, `read` of its last
picture. `python -m tests.support.golden_verbs` makes them again: look at the difference before you
commit.
"""

import json
import math
import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Final

from firmware.commands.main import main
from tests.conftest import ROOT
from tests.support.table_script import ScriptedTable, read

FILE: Final = ROOT / "tests" / "golden" / "verbs.json"

RECORDS: Final = {
    f"{path.parent.name}/{path.name}": path
    for pattern in ("records/*.blksgf", "stored_games/*/record.blksgf")
    for path in sorted((ROOT / "tests").glob(pattern))
}
"""Every record by its name."""

SCRIPTS: Final = {
    path.parent.name: path for path in sorted((ROOT / "tests" / "games").glob("*/script.jsonl"))
}
"""Every scripted game by its name."""


def printed(*words: str | Path) -> list[dict[str, Any]]:
    """Returns the lines of JSON that a command prints, without what depends on the machine."""
    with redirect_stdout(StringIO()) as output:
        main([*map(str, words), "--json"])
    lines: list[dict[str, Any]] = [json.loads(line) for line in output.getvalue().splitlines()]
    for line in lines:
        line.pop("seconds", None)
        line.pop("photo", None)
    return lines


def photographed(script: Path, folder: Path) -> list[dict[str, Any]]:
    """Writes the pictures of a scripted game; returns what is watched, and read of the last one."""
    setting, actions = read(script.read_text(encoding="utf-8"))

    def keep(number: int, jpeg: bytes) -> None:
        (folder / f"{number:04}.jpg").write_bytes(jpeg)

    for _ in ScriptedTable(setting, keep).play(actions):
        pass
    options = ("--game", setting.game, "--edition", setting.edition)
    watched = printed("watch", folder, *options)
    return watched + printed("read", max(folder.iterdir()), *options)


def alike(value: object, golden: object) -> bool:
    """Compares output; numbers of pixels and probabilities may differ a little by the machine."""
    if isinstance(value, float) and isinstance(golden, float):
        return math.isclose(value, golden, rel_tol=0.01, abs_tol=0.02)
    if isinstance(value, list) and isinstance(golden, list):
        return len(value) == len(golden) and all(map(alike, value, golden))
    if isinstance(value, dict) and isinstance(golden, dict):
        return value.keys() == golden.keys() and all(
            alike(value[key], golden[key]) for key in value
        )
    return value == golden


def all_output() -> dict[str, list[dict[str, Any]]]:
    """Returns all lines by the name of a record or of a scripted game."""
    output = {name: printed("replay", record) for name, record in RECORDS.items()}
    for name, script in SCRIPTS.items():
        with tempfile.TemporaryDirectory() as folder:
            output[name] = photographed(script, Path(folder))
    return output


if __name__ == "__main__":
    FILE.write_text(json.dumps(all_output()) + "\n")
