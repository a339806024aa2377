"""Damaged recordings: videos, folders of pictures, and their lists."""

import random
import tempfile
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from tests.evaluation.file_fuzz.case import ANY, FuzzCase, damaged
from tests.evaluation.file_fuzz.pictures import SAMPLES, WAYS, seeds
from vision.io.recording_notes import LIT, TIMES

CODECS = {"game.avi": "MJPG", "game.mp4": "mp4v", "game.mkv": "VP80"}
WORDS = (
    b"nan", b"inf", b"-1", b"1e308", b"-0.0", b"99999999999999999999", b"x", b"\xff", b"\n", b" ",
    b"a.jpg", b"b.jpg 0.1\n", b"196", b"400", b"\x00",
)  # fmt: skip


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
    }
    name = chance.choice([*files])
    if name.endswith(".jpg"):
        files[name] = damaged(seeds()[chance.choice([*seeds()])], WAYS, chance)
    else:
        files[name] = damaged(files[name], (*ANY, *[_word] * 8), chance)
    fps = chance.choice(((), (), ("--fps", "2"), ("--fps", "1e-320"), ("--fps", "inf")))
    return FuzzCase(("watch", "--json", *fps, "@game"), files)


def _word(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(WORDS) + data[at + chance.choice((0, 0, 3)) :]
