"""Odd places under the names of files, and odd names, for the verbs that read and write them."""

import random

from tests.evaluation.file_fuzz.case import FuzzCase
from tests.evaluation.file_fuzz.pictures import seeds
from tests.evaluation.file_fuzz.places import PLACES
from tests.evaluation.file_fuzz.recordings import videos
from tests.evaluation.file_fuzz.texts import CALIBRATION, RECORDS, written

_NAMES = (
    "odd",
    "\udcff\udcfe",
    "new\nline",
    "\x1b[31mred",
    "a" * 230,
    "%d",
    "concat:a|b",
    "-v",
    " ",
)
"""Names of files, without suffixes."""

_READ = {
    ".jpg": (
        ("read", "--json", "@@"),
        ("read", "--empty", "@@", "@good.jpg"),
        ("calibrate", "--json", "@@"),
        ("calibrate", "--json", "@game"),
        ("join", "--no-check", "--folder", "@table", "@@"),
        ("watch", "--json", "@game"),
        ("solve", "tetrominoes", "--from", "@@"),
    ),
    ".json": (
        ("read", "--json", "--calibration", "@@", "@good.jpg"),
        ("calibrate", "--check", "--lens", "@@", "@good.jpg"),
    ),
    ".avi": (("watch", "--json", "@@"), ("calibrate", "--json", "@@")),
    ".blksgf": (
        ("replay", "--json", "@@"),
        ("hint", "@@"),
        ("solve", "tetrominoes", "--from", "@@"),
    ),
    ".toml": (("doctor", "--json", "--config", "@@"), ("pair", "--config", "@@")),
    "": (("watch", "--json", "@game"), ("read", "--json", "@game/a.jpg")),
}
"""Command lines by the suffix of the file `@@` that they read."""

_LISTS = ("times.txt", "lit.txt", "stuck.txt", "orientation.txt", "inputs.jsonl")

_WRITTEN = {
    ".png": ("read", "--overlay", "@@", "@good.jpg"),
    ".json": ("calibrate", "--save", "@@", "@good.jpg"),
    ".pdf": ("print", "card", "--out", "@@"),
    ".txt": ("doctor", "--report", "@@"),
}
"""Command lines by the suffix of the file `@@` that they write."""


def read(chance: random.Random) -> FuzzCase:
    """Returns an odd place, or a good file under an odd name, for a command that reads it."""
    suffix = chance.choice([*_READ])
    words = chance.choice(_READ[suffix])
    name = chance.choice(_NAMES) + suffix if suffix else chance.choice(_LISTS)
    name = f"game/{name}" if "@game" in str(words) else name
    content = {
        ".jpg": seeds()["JPEG"],
        ".json": written(CALIBRATION),
        ".avi": videos()["game.avi"],
        ".blksgf": chance.choice(RECORDS),
    }.get(suffix, b"")
    # A good record or board is searched for seconds, which is no matter of files.
    is_good = chance.random() < 0.3 and words[0] not in {"hint", "solve"}
    files = {
        "good.jpg": seeds()["JPEG"],
        "game/a.jpg": seeds()["JPEG"],
        "outside/secret": b"secret",
        name: content,
    }
    odd = {} if is_good else {name: chance.choice([*PLACES])}
    return FuzzCase(tuple(f"@{name}" if word == "@@" else word for word in words), files, odd)


def write(chance: random.Random) -> FuzzCase:
    """Returns an odd place that is written to; a pipe may wait for its reader."""
    suffix = chance.choice([*_WRITTEN])
    name = chance.choice(_NAMES) + suffix
    place = chance.choice(("folder", "closed", "full", "loop", "nowhere", ""))
    words = tuple(f"@{name}" if word == "@@" else word for word in _WRITTEN[suffix])
    files = {"good.jpg": seeds()["JPEG"], name: b""}
    return FuzzCase(words, files, {name: place} if place else {})
