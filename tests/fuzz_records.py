"""Feeds the record reader broken files: each must be read, or refused in one sentence.

    python -m tests.fuzz_records --seconds 60 [--seed N]

Prints how many were read and how many refused; stops with the file that did neither.
"""

import argparse
import random
import sys
import time
from pathlib import Path

from firmware.rules.errors import RulesError
from firmware.rules.history import replay
from firmware.rules.record import Record

SEEDS = (Path(__file__).parent / "rules" / "data", Path(__file__).parent / "records")
TOKENS = (
    *b"( ) ; [ ] \\ \\] [] (; ;B[ ;W[ ;1[ AE[ AB[ PL[W] GM[Blokus]".split(),
    *b"CLATTEMPT[W:a1] CLMOVE[B:a1] CLSHARED[2] CLGAME[duo-4] CLCOLORS[red][blue]".split(),
    *b"a1 e10 n14 t20 z99 , : \xff \xc3 \x00 \r\n \xef\xbb\xbf".split(b" "),
)


def damage(data: bytes, chance: random.Random) -> bytes:
    """The file with one to a few accidents."""
    broken = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 3, 8, 30))):
        at = chance.randrange(len(broken) + 1)
        accident = chance.randrange(5)
        if accident == 0:
            del broken[at : at + chance.choice((1, 2, 5, 40, 400))]
        elif accident == 1:
            broken[at:at] = chance.choice(TOKENS)
        elif accident == 2:
            broken[at : at + 1] = bytes([chance.randrange(256)])
        elif accident == 3:
            other = chance.randrange(len(broken) + 1)
            broken[at:at] = broken[other : other + chance.randrange(60)]
        else:
            del broken[at:]
    return bytes(broken)


def survives(data: bytes) -> bool:
    """Whether the file is read; False if it is refused. Anything else is an error."""
    try:
        record = Record.read(data)
        for _ in replay(record):
            pass
        assert Record.read(record.write()).root == record.root
    except RulesError as error:
        if "\n" in str(error):
            raise
        return False
    return True


def main() -> int:
    """Runs until the time is up or a file breaks the reader."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=time.time_ns())
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)  # noqa: S311
    files = [path.read_bytes() for folder in SEEDS for path in sorted(folder.glob("*.blksgf"))]
    counts = [0, 0]
    end = time.monotonic() + arguments.seconds
    while time.monotonic() < end:
        data = damage(chance.choice(files), chance)
        try:
            counts[survives(data)] += 1
        except Exception:
            Path("broken.blksgf").write_bytes(data)
            print("this file breaks the reader: broken.blksgf", file=sys.stderr)  # noqa: T201
            raise
    print(f"seed {arguments.seed}: {counts[1]} read, {counts[0]} refused")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
