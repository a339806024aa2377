"""Files and the command that reads them."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.evaluation.file_fuzz.places import PLACES

Damage = Callable[[bytes, random.Random], bytes]


@dataclass(frozen=True)
class FuzzCase:
    """Files and a command line that reads them.

    Attributes:
        words: words of the command line; a word that begins with `@` is a path among the files.
        files: contents by name. No run may change those in the folder `outside`.
        places: names of the functions of `places.PLACES` that replace some files.
    """

    words: tuple[str, ...]
    files: dict[str, bytes]
    places: dict[str, str] = field(default_factory=dict)

    def put_into(self, folder: Path) -> list[str]:
        """Writes the files into a folder; returns the command line."""
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        for name, place in self.places.items():
            PLACES[place](folder / name)
        return [str(folder / w[1:]) if w.startswith("@") else w for w in self.words]

    def escape_from(self, folder: Path) -> str:
        """Returns a sentence if a run has changed what lies outside; otherwise nothing."""
        there = {str(p.relative_to(folder)): p.read_bytes() for p in _files(folder / "outside")}
        before = {name: data for name, data in self.files.items() if name.startswith("outside/")}
        return "" if there == before else f"outside its folder are {sorted(there)}"


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def damaged(data: bytes, ways: Sequence[Damage], chance: random.Random) -> bytes:
    """Returns a file after one damage or a few."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        data = chance.choice(ways)(data, chance)
    return data


def cut(data: bytes, chance: random.Random) -> bytes:
    """Cuts the file off at a random place."""
    return data[: chance.randrange(len(data) + 1)]


def flipped(data: bytes, chance: random.Random) -> bytes:
    """Flips some bits."""
    broken = bytearray(data)
    for _ in range(min(len(broken), chance.choice((1, 3, 10, 100)))):
        broken[chance.randrange(len(broken))] ^= 1 << chance.randrange(8)
    return bytes(broken)


def overwritten(data: bytes, chance: random.Random) -> bytes:
    """Overwrites some bytes near the beginning."""
    broken = bytearray(data)
    for _ in range(chance.choice((1, 2, 4))):
        at = chance.randrange(min(len(broken), chance.choice((32, 400, 4000))) or 1)
        broken[at : at + 1] = bytes(
            [chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))]
        )
    return bytes(broken)


def removed(data: bytes, chance: random.Random) -> bytes:
    """Removes a section."""
    at = chance.randrange(len(data) + 1)
    return data[:at] + data[at + chance.choice((1, 2, 7, 100, 4000)) :]


def repeated(data: bytes, chance: random.Random) -> bytes:
    """Repeats a section."""
    at = chance.randrange(len(data) + 1)
    stretch = data[at : at + chance.choice((1, 4, 60, 2000))]
    return data[:at] + stretch * chance.choice((1, 3, 30)) + data[at:]


ANY: tuple[Damage, ...] = (cut, flipped, flipped, overwritten, overwritten, removed, repeated)
"""Damages of any kind of file."""
