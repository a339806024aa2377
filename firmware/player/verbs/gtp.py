"""`cornerlight gtp`: runs the computer player as a GTP engine on standard input and output."""

import argparse
import os
import sys
from typing import Final

from firmware.commands.options import add_game, level, seconds
from firmware.game.levels import LEVELS
from firmware.player.search_process import check_player, command

EXAMPLE: Final = "cornerlight gtp --game duo --level strong"

LEVEL_HELP: Final = f"level of play: 1 to {len(LEVELS)} or a name: {', '.join(LEVELS)}"
"""Help on `--level`, here and of `hint`."""

_WELCOME: Final = (
    "the player starts, which takes a minute or several the first time; "
    "then type commands, for example genmove b, showboard, quit"
)
"""Text for a person who types commands."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    add_game(parser)
    thinking = parser.add_mutually_exclusive_group(required=True)
    thinking.add_argument("--seconds", type=seconds, help="seconds to think about a move")
    thinking.add_argument("--level", type=level, help=LEVEL_HELP)
    parser.add_argument("--threads", type=int, choices=range(1, 5), default=1, help="1 to 4")
    parser.add_argument("--seed", type=int, default=1, help="seed of random choices (default: 1)")


def run(arguments: argparse.Namespace) -> int:
    """Replaces this process by the computer player, which so gets its signals directly."""
    check_player()
    thinking = ("--level", arguments.level) if arguments.level else ("--seconds", arguments.seconds)
    options = {
        "--game": arguments.game,
        "--threads": arguments.threads,
        "--seed": arguments.seed,
        thinking[0]: thinking[1],
    }
    if sys.stdin.isatty() and sys.stderr.isatty():
        print(_WELCOME, file=sys.stderr, flush=True)
    words = [text for name, value in options.items() for text in (name, str(value))]
    os.execv(sys.executable, command("gtp", *words))  # noqa: S606
