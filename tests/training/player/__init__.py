"""Trains the player by games against itself: play, learn, and repeat.

    python -m tests.training player play --game duo --games 500 --to duo-1.jsonl
    python -m tests.training player learn duo-*.jsonl --to NEW
    python -m tests.training player compare --game duo --games 100 --of NEW

To start untrained, run `play --fresh`, then `learn --fresh`. Training can also start from the
network of another board: copy its file, and run `learn`. Learning needs the
extra `teaching` (PyTorch); playing does not.

The stored networks were trained as follows, on one shared core (scores at equal simulations a
move, 95 % intervals; cross-entropy of the visits of another engine's strong search in 41 positions
of its games, which are not in the training data):

    Duo                                   positions   cross-entropy   against the one before
    sums of hand-made classes              a few 100        4.02
    network, visits of a playout search       10,300        3.50
    and how the game ends                     14,400        3.42      73 +- 18 % of 24 (*)
    games in which it was trusted             25,700        3.33      69 +- 19 % of 24
    learned on from the newer ones            16,800        3.34      67 +- 17 % of 30
    a round of 2,000 games                         (**) 2.28 to 2.10  48 +- 8 % of 100: not taken
    Four colours on 14x14: from 120 games of classic-2          75 +- 24 % of 12 against Duo's
    Four colours on 20x20: Duo's, then learned from
    2,038 games of classic-2, 600 simulations      (**) 2.70 to 2.49  52 +- 13 % of 60
    these and 1,000 of classic                     (**) 2.43 to 2.39  67 +- 10 % of 60 of Classic,
                                                                      against Duo's
    a round of 900 games by that network           (**) 2.32 to 2.32  not taken

(*) The same network, positions judged by it against positions played out, at 1.7 times the CPU.
(**) Before and after; of the visits in held-out games among those it learned from.

In four colours the network learns the value, too (cross-entropy 1.87 to 0.53), but playouts judge
better: against them the network alone scored 21 +- 11 % of 38 games of classic-2 at 0.1 s a move,
half of each 45 +- 13 % of 60 at 600 simulations. So there it is used for the prior alone.
"""

import argparse
import random
import sys
import time
from importlib import import_module
from pathlib import Path

from firmware.player.search.network import FOLDER, load, network_of, path_of
from firmware.player.search.player import SearchLimits
from firmware.rules.variants import GAMES
from tests.evaluation.levels.games import Chooser
from tests.evaluation.levels.games import play as play_pair
from tests.evaluation.levels.ladder import share
from tests.training.player.comparison import EVALUATIONS, chooser
from tests.training.player.dataset import lessons_of, read, write
from tests.training.player.selfplay import play
from tests.training.player.untrained import save, untrained


def main(words: list[str]) -> int:
    """Plays games into a file, or trains from files."""
    parser = argparse.ArgumentParser(prog="python -m tests.training player")
    verbs = parser.add_subparsers(dest="verb", required=True)
    playing = verbs.add_parser("play", help="games of the player against itself")
    playing.add_argument("--game", choices=GAMES, default="duo")
    playing.add_argument("--games", type=int, default=500)
    playing.add_argument("--simulations", type=int, default=800, help="simulations per move")
    playing.add_argument("--fresh", action="store_true", help="with an untrained network")
    playing.add_argument("--to", type=Path, required=True, help="file that the games are added to")
    learning = verbs.add_parser("learn", help="train a network that predicts search results")
    learning.add_argument("files", type=Path, nargs="+")
    learning.add_argument("--epochs", type=int, default=20)
    learning.add_argument("--rate", type=float, default=0.003)
    learning.add_argument("--fresh", action="store_true", help="from an untrained network")
    learning.add_argument("--to", type=Path, default=FOLDER, help="folder of the networks")
    comparing = verbs.add_parser("compare", help="games of one network against another")
    comparing.add_argument("--game", choices=GAMES, default="duo")
    comparing.add_argument("--games", type=int, default=100)
    comparing.add_argument("--simulations", type=int, default=800, help="simulations per move")
    comparing.add_argument("--seconds", type=float, help="seconds per move, in place of those")
    comparing.add_argument("--of", type=Path, default=FOLDER, help="folder of the newer network")
    comparing.add_argument("--against", type=Path, default=FOLDER, help="folder of the older one")
    for name in ("--evaluation", "--evaluation-against"):
        comparing.add_argument(name, choices=EVALUATIONS, help="evaluation of leaves")
    for verb in (playing, learning):
        verb.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(words)
    {"play": _play, "learn": _learn, "compare": _compare}[arguments.verb](arguments)
    return 0


def _play(arguments: argparse.Namespace) -> None:
    chance = random.Random(arguments.seed)  # noqa: S311
    game, learned = GAMES[arguments.game], None
    if arguments.fresh:
        learned = untrained()
    begun = time.perf_counter()
    for number in range(arguments.games):
        write(play(game.key, arguments.simulations, chance, learned), arguments.to)
        _say(f"game {number + 1} of {arguments.games}, {time.perf_counter() - begun:.0f} s")


def _learn(arguments: argparse.Namespace) -> None:
    played = list(read(arguments.files))
    game = GAMES[played[0].game]
    size, colours = game.size, len(game.colours)
    trainer = import_module("tests.training.player.trainer")
    fitting = trainer.Trainer(size, lessons_of(played), arguments.seed)
    fresh = arguments.fresh
    network = untrained(arguments.seed) if fresh else network_of(size, colours)
    _say(f"{len(played)} games; before: {fitting.loss(network)}")
    network = fitting.learn(network, arguments.epochs, arguments.rate)
    _say(f"after: {fitting.loss(network)}")
    save(network, path_of(size, colours, arguments.to))


def _compare(arguments: argparse.Namespace) -> None:
    game = GAMES[arguments.game]
    seconds = arguments.seconds
    limits = SearchLimits(seconds, arguments.simulations if seconds is None else None)

    def player(folder: Path, evaluation: str) -> Chooser:
        network = load(path_of(game.size, len(game.colours), folder))
        return chooser(network, limits, EVALUATIONS.get(evaluation))

    older = player(arguments.against, arguments.evaluation_against)
    newer = player(arguments.of, arguments.evaluation)
    played = []
    for number in range(arguments.games):
        played.append(play_pair((older, newer), game.key, number))
        value, low, high = (100 * one for one in share(played))
        _say(f"{len(played)} games: {value:.0f} %, {low:.0f} to {high:.0f}")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201
