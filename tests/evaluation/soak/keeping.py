"""Files of an evening: frames for `watch`, script of the actions, and verdicts."""

import json
from pathlib import Path

from firmware.storage.session_recorder import EVENTS
from tests.evaluation.soak.rendered_game import RenderedGame
from tests.evaluation.soak.tally import GameTally
from tests.support.table_script import written
from vision.io.recording_notes import LIT, TIMES

SCRIPT = "script.jsonl"


def keep(evening: RenderedGame, played: GameTally, folder: Path) -> Path:
    """Writes an evening into a folder of its own; returns its path."""
    own = folder / f"{played.game}-{played.seed[0]}-{played.seed[1]}"
    store(evening, own)
    (own / "judged.json").write_text(played.line() + "\n", encoding="utf-8")
    return own


def store(evening: RenderedGame, own: Path) -> None:
    """Writes the frames, the script and the events of an evening into a folder."""
    own.mkdir(parents=True, exist_ok=True)
    times = lit = ""
    for number, (jpeg, squares) in enumerate(zip(evening.frames, evening.lit, strict=True), 1):
        name = f"{number:06}.jpg"
        (own / name).write_bytes(jpeg)
        times += f"{name} {number / evening.setting.fps:.3f}\n"
        lit += " ".join(map(str, (name, *sorted(squares)))) + "\n" if squares else ""
    (own / TIMES).write_text(times, encoding="utf-8")
    if lit:
        (own / LIT).write_text(lit, encoding="utf-8")
    (own / SCRIPT).write_text(written(evening.setting, evening.script), encoding="utf-8")
    lines = "".join(json.dumps(line) + "\n" for line in evening.events_as_json())
    (own / EVENTS).write_text(lines, encoding="utf-8")
