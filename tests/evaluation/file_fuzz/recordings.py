"""Damaged recordings: videos, folders of pictures, and their lists."""

import random
import tempfile
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from firmware.game.config import GameConfig
from firmware.rules.variants import VARIANTS
from firmware.storage.session_inputs import INPUTS, BegunGame, LookAgain, first_line, line_of
from tests.evaluation.file_fuzz.case import ANY, FuzzCase, damaged
from tests.evaluation.file_fuzz.pictures import SAMPLES, WAYS, seeds
from vision.io.recording_notes import LIT, ORIENTATIONS, TIMES

CODECS = {"game.avi": "MJPG", "game.mp4": "mp4v", "game.mkv": "VP80"}
WORDS = (
    b"nan", b"inf", b"-1", b"1e308", b"-0.0", b"99999999999999999999", b"x", b"\xff", b"\n", b" ",
    b"a.jpg", b"b.jpg 0.1\n", b"196", b"400", b"\x00",
)  # fmt: skip


ROWS = (b"%x.jpg 1\n", b"%x.jpg 1 2 3 4\n", b"a.jpg same\n", b"\n", '{"😀":[[],[]]}\n'.encode())
"""Lines of lists that need much memory: each list has a million of one of them."""


@cache
def bombs() -> list[bytes]:
    """Returns lists, also of inputs, that need much memory or time."""
    many = [b"".join(row % k if b"%" in row else row for k in range(900_000)) for row in ROWS]
    one = [b"a.jpg" + b" 1" * 7_000_000, b"a.jpg " + b"9" * 5000, b"[" * 9_000_000]
    begun = first_line(BegunGame(GameConfig(VARIANTS["duo"], None)), ()).encode()
    inputs = [b'{"frame":1,"look":true}\n' * 80_000, b'{"frame":1,"look":' + b"[" * 90_000 + b"]\n"]
    return [*many, *one, *(begun + b"\n" + lines for lines in inputs)]


def video(chance: random.Random) -> FuzzCase:
    """Returns a damaged video for `watch`."""
    name = chance.choice([*CODECS])
    broken = damaged(videos()[name], ANY, chance)
    return FuzzCase(("watch", "--json", f"@{name}"), {name: broken})


@cache
def videos() -> dict[str, bytes]:
    """Returns a short video of a board in several containers."""
    board = cv2.resize(np.asarray(cv2.imread(str(SAMPLES / "game_30.jpg"))), (400, 300))
    found = {}
    with tempfile.TemporaryDirectory(prefix="cornerlight-") as folder:
        for name, codec in CODECS.items():
            path = Path(folder) / name
            writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), 10, (400, 300))
            for _ in range(12):
                writer.write(board)
            writer.release()
            found[name] = path.read_bytes()
    return found


def folder(chance: random.Random) -> FuzzCase:
    """Returns a folder of two pictures for `watch`, with one damaged file."""
    good = seeds()["JPEG"]
    files = {
        "game/a.jpg": good,
        "game/b.jpg": good,
        f"game/{TIMES}": b"a.jpg 0.5\nb.jpg 1.0\n",
        f"game/{LIT}": b"a.jpg 3 4 5\nb.jpg\n",
        f"game/{ORIENTATIONS}": b"a.jpg 90 mirrored\n",
    }
    if chance.random() < 0.5:
        begun = first_line(BegunGame(GameConfig(VARIANTS["duo"], None)), ())
        looked = line_of(2, LookAgain())
        files[f"game/{INPUTS}"] = f"{begun}\n{looked}\n".encode()
    name = chance.choice([*files])
    if name.endswith(".jpg"):
        files[name] = damaged(seeds()[chance.choice([*seeds()])], WAYS, chance)
    elif chance.random() < 0.1:
        files[name] = chance.choice(bombs())
    else:
        files[name] = damaged(files[name], (*ANY, *[_word] * 8), chance)
    fps = chance.choice(((), (), ("--fps", "2"), ("--fps", "1e-320"), ("--fps", "inf")))
    return FuzzCase(("watch", "--json", *fps, "@game"), files)


def _word(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(WORDS) + data[at + chance.choice((0, 0, 3)) :]
