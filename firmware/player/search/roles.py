"""The roles of the player's process: GTP engine, service of a table, compilation, benchmark."""

import argparse
import json
import sys
import threading

from firmware import __version__
from firmware.player.client import SearchRequest
from firmware.player.search.benchmark import measure
from firmware.player.search.gtp import GtpEngine, Think
from firmware.player.search.levels import LEVELS
from firmware.player.search.player import MEMORY_MB, SearchPlayer
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
        engine = GtpEngine(_thinking(services[0], arguments), GAMES[arguments.game], __version__)
        engine.serve(sys.stdin, sys.stdout)
    return 0


def _thinking(service: PlayerService, arguments: argparse.Namespace) -> Think:
    """The search of a move as a table asks for it."""

    def think(position: Position) -> SearchResult:
        request = SearchRequest(
            str(position), arguments.seconds, arguments.level, seed=arguments.seed
        )
        *_, last = service.results(request, threading.Event())
        return last

    return think
