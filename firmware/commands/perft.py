"""`cornerlight perft`: counts sequences of legal moves, for comparison with known numbers."""

import argparse
import json
import time
from typing import Final

from firmware.commands.options import add_game, whole_number
from firmware.commands.progress import Progress
from firmware.rules.perft import perft
from firmware.rules.position import Position
from firmware.rules.variants import Starts

EXAMPLE: Final = "cornerlight perft --game duo 2"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    parser.add_argument(
        "depth",
        metavar="DEPTH",
        type=whole_number(words="a whole number of moves"),
        help="moves in a sequence",
    )
    add_game(parser)
    parser.add_argument(
        "--starts",
        choices=[starts.value for starts in Starts],
        default=Starts.FREE.value,
        help="free: any starting square still free (default); fixed: each colour its own",
    )
    parser.add_argument("--json", action="store_true", help="print one line of JSON")


def run(arguments: argparse.Namespace) -> int:
    """Counts and prints."""
    begun = time.perf_counter()
    position = Position.start(arguments.game, arguments.starts)
    progress = Progress()
    count = perft(position, arguments.depth, lambda share: progress.show(f"{share:.1%}"))
    progress.clear()
    if arguments.json:
        row = {
            "game": arguments.game,
            "starts": arguments.starts,
            "depth": arguments.depth,
            "sequences": count,
            "seconds": round(time.perf_counter() - begun, 3),
        }
        print(json.dumps(row))
    else:
        print(count)
    return 0
