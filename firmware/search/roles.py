"""The roles of the player's process: GTP engine, service of a table, compilation, benchmark."""

import argparse
import json
import sys

from firmware import __version__
from firmware.rules.variants import GAMES
from firmware.search.benchmark import measure
from firmware.search.gtp import GtpEngine
from firmware.search.player import LEVELS, MEMORY_MB, SearchLimits, SearchPlayer
from firmware.search.proving import PROVING_LEVEL, EndgameProver
from firmware.search.service import PlayerService, serve
from firmware.search.solver_service import SolverService


def main(words: list[str]) -> int:
    """Runs the role that the first of `words` names; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m firmware.search")
    parser.add_argument("role", choices=("gtp", "serve", "warm", "measure"))
    parser.add_argument("--game", choices=GAMES, default="duo")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--level", type=int, choices=LEVELS)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", type=int, default=MEMORY_MB, help="memory of the trees in MB")
    arguments = parser.parse_args(words)
    player = SearchPlayer(
        threads=arguments.threads, seed=arguments.seed, memory_mb=arguments.memory
    )
    services = PlayerService(player), SolverService()
    if arguments.role == "serve":
        serve(services, sys.stdin, sys.stdout)
    elif arguments.role == "warm":
        for service in services:
            service.warm()
    elif arguments.role == "measure":
        print(json.dumps(measure()))  # noqa: T201
    else:
        # Before the first clock starts.
        services[0].warm()
        simulations = LEVELS[arguments.level] if arguments.level else None
        budget = SearchLimits(arguments.seconds, simulations)
        proves = arguments.level is None or arguments.level >= PROVING_LEVEL
        prover = EndgameProver() if proves else None
        engine = GtpEngine(player, GAMES[arguments.game], budget, __version__, prover)
        engine.serve(sys.stdin, sys.stdout)
    return 0
