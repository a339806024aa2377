"""Golden replays: what `replay` says of every record in the tests.

`python -m tests.support.golden_replays` makes them again: look at the difference before you commit.
"""

import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Final

from firmware.commands.main import main
from tests.conftest import ROOT

FILE: Final = ROOT / "tests" / "golden" / "replays.json"

RECORDS: Final = {
    f"{path.parent.name}/{path.name}": path
    for pattern in ("records/*.blksgf", "stored_games/*/record.blksgf")
    for path in sorted((ROOT / "tests").glob(pattern))
}
"""Every record by its name."""


def replayed(record: Path) -> list[dict[str, Any]]:
    """Returns the lines of JSON that `replay` prints."""
    with redirect_stdout(StringIO()) as printed:
        main(["replay", str(record), "--json"])
    return [json.loads(line) for line in printed.getvalue().splitlines()]


if __name__ == "__main__":
    replays = {name: replayed(record) for name, record in RECORDS.items()}
    FILE.write_text(json.dumps(replays) + "\n")
