"""The roles of the player's process: GTP engine, service of a table, compilation, benchmark."""

import argparse
import json
import sys
import time

from firmware import __version__
from firmware.player.search.benchmark import measure
from firmware.player.search.endgame import EndgameSolver, proof_seconds
from firmware.player.search.gtp import GtpEngine, Think
from firmware.player.search.levels import LEVELS, PROVING_LEVEL, think_at_level
from firmware.player.search.player import MEMORY_MB, SearchLimits, SearchPlayer
from firmware.player.search.service import PlayerService, SolverService, serve
from firmware.player.search_result import SearchResult
from firmware.rules.position import Position
from firmware.rules.variants import GAMES


def main(words: list[str]) -> int:
    """Runs the role that the first of `words` names; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m firmware.player.search")
    parser.add_argument("role", choices=("gtp", "serve", "warm", "measure"))
    parser.add_argument("--game", choices=GAMES, default="duo")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--level", type=int, choices=range(1, len(LEVELS) + 1))
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
        think = _thinking(player, arguments)
        engine = GtpEngine(think, GAMES[arguments.game], __version__)
        engine.serve(sys.stdin, sys.stdout)
    return 0


def _thinking(player: SearchPlayer, arguments: argparse.Namespace) -> Think:
    """The search of a move, which first tries to prove the result."""
    level, seconds = arguments.level, arguments.seconds
    solver = EndgameSolver() if level is None or level >= PROVING_LEVEL else None

    def think(position: Position) -> SearchResult:
        begun = time.perf_counter()
        proof = solver.solve(position, seconds=proof_seconds(seconds)) if solver else None
        if proof is not None:
            return proof
        if level:
            return think_at_level(player, position, level, arguments.seed)
        return player.think(position, SearchLimits(seconds - (time.perf_counter() - begun)))

    return think
