"""Damaged calibrations, settings and game records, and oversized ones."""

import json
import random
from collections.abc import Mapping

from firmware.settings import describe
from tests.conftest import ROOT
from tests.evaluation.file_fuzz.case import ANY, Damage, FuzzCase, damaged
from tests.evaluation.file_fuzz.pictures import seeds

RECORDS = [
    path.read_bytes()
    for folder in (ROOT / "tests" / "firmware" / "rules" / "data", ROOT / "tests" / "records")
    for path in sorted(folder.glob("*.blksgf"))
]
SGF_TOKENS = (
    *b"( ) ; [ ] \\ \\] [] (; ;B[ ;W[ ;1[ AE[ AB[ PL[W] GM[Blokus]".split(),
    *b"CLATTEMPT[W:a1] CLMOVE[B:a1] CLSHARED[2] CLGAME[duo-4] CLCOLORS[red][blue]".split(),
    *b"a1 e10 n14 t20 z99 , : \xff \xc3 \x00 \r\n \xef\xbb\xbf".split(b" "),
)
JSON_TOKENS = (
    *b'{ } [ ] , : null true -1 0 1e999 -Infinity NaN Infinity 1e-999 "" [] {} [[[['.split(),
    *b'99999999999999999999999 0.5 "x" [1,2] [0,0] [1e308,1e308] \xff'.split(),
)
TOML_TOKENS = (
    *b"[ ] [[ ]] = . # \" ' true nan inf -inf 1e400 0x 99999999999999999999 1979-05-27".split(),
    *b'[game] [lights] a.b.c={} {} """ \\u0000 \xff \n'.split(b" "),
)
CALIBRATION = {
    "version": 1,
    "lens": {
        "K": [[830.0, 0.0, 399.5], [0.0, 830.0, 299.5], [0.0, 0.0, 1.0]],
        "dist": [-0.01, 0.0, 0.0, 0.0, 0.0],
        "size": [800, 600],
        "focal_known": True,
        "residual_px": 0.2,
        "pictures": 5,
    },
    "board": 14,
    "corners": [[139.9, 35.0], [636.9, 36.4], [624.6, 555.8], [119.7, 527.0]],
    "size": [800, 600],
}


def calibration(chance: random.Random) -> FuzzCase:
    """Returns a damaged calibration with a good picture."""
    words = ("read", "--json", "--calibration", "@camera.json", "@good.jpg")
    depths = (b"[" * 90_000, b'{"a":' * 15_000, b"[" * 3_000_000, b'{"version":1,"lens":' * 4000)
    ways = (*ANY, token(JSON_TOKENS), token(JSON_TOKENS), _other_value)
    text = written(CALIBRATION)
    broken = chance.choice(depths) if chance.random() < 0.05 else damaged(text, ways, chance)
    return FuzzCase(words, {"camera.json": broken, "good.jpg": seeds()["JPEG"]})


def written(table: Mapping[str, object]) -> bytes:
    """Returns a table as JSON."""
    return json.dumps(table).encode()


def _other_value(data: bytes, chance: random.Random) -> bytes:
    """Replaces a number in a JSON text."""
    places = [at for at, byte in enumerate(data) if chr(byte).isdecimal()]
    if not places:
        return data
    at = end = chance.choice(places)
    while end < len(data) and data[end] in b"0123456789.eE+-":
        end += 1
    return data[:at] + chance.choice(JSON_TOKENS) + data[end:]


def settings(chance: random.Random) -> FuzzCase:
    """Returns damaged settings for `doctor`."""
    sections: dict[str, list[str]] = {}
    for name, _, default, _ in describe():
        section, key = name.split(".")
        sections.setdefault(section, []).append(f"{key} = {json.dumps(default)}")
    text = "\n".join(f"[{name}]\n" + "\n".join(keys) for name, keys in sections.items())
    bombs = (b"a=" + b"[" * 90_000, b"a." * 45_000 + b"b=1", b"a=" + b"9" * 90_000, b"#" * 900_000)
    ways = (*ANY, token(TOML_TOKENS), token(TOML_TOKENS), _other_value)
    few = chance.random() < 0.05
    broken = chance.choice(bombs) if few else damaged(text.encode(), ways, chance)
    return FuzzCase(("doctor", "--json", "--config", "@table.toml"), {"table.toml": broken})


def record(chance: random.Random) -> FuzzCase:
    """Returns a damaged game record for `replay`."""
    how = chance.choice(("--json", "--board", "--scoring=basic"))
    few = chance.random() < 0.05
    broken = chance.choice(RECORD_BOMBS) if few else damaged_record(chance.choice(RECORDS), chance)
    return FuzzCase(("replay", how, "@game.blksgf"), {"game.blksgf": broken})


def damaged_record(data: bytes, chance: random.Random) -> bytes:
    """Returns a record after one damage or a few."""
    return damaged(data, (*ANY, *[token(SGF_TOKENS)] * 4), chance)


_HEAD = b"(;GM[Blokus Duo]"
RECORD_BOMBS = (
    _HEAD + b"(;B[a1]" * 300_000 + b")" * 300_001,
    b"(" * 300_000 + _HEAD + b")" * 300_001,
    _HEAD + b";B[e8,d9,e9,f9,e10]" * 260_000 + b")",
    _HEAD + b";B[e8,d9,e9,f9,e10]" * 12_000 + b")",
    _HEAD + b";B[e8,d9,e9,f9,e10]" * 999 + b")",
    _HEAD + b";CLATTEMPT" + b"[B:a1,b3,c5]" * 24_000 + b")",
    _HEAD + b";AB[a1,a2];AE[a1,a2]" * 499 + b")",
    _HEAD + b";" * 49_000 + b")",
    _HEAD + b"C[" + b"\n" * 900_000 + b"];B[zz])",
)


def token(tokens: tuple[bytes, ...]) -> Damage:
    """Returns a damage that inserts one of the tokens at a random place."""

    def insert(data: bytes, chance: random.Random) -> bytes:
        at = chance.randrange(len(data) + 1)
        return data[:at] + chance.choice(tokens) + data[at:]

    return insert
