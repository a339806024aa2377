"""Matches of the player against another engine that speaks GTP, refereed by `firmware.rules`.

    python -m tests.evaluation matches --game duo --seconds 0.1 --games 100 \
        --against "pentobi-gtp --game duo --level 4 --nobook --quiet --seed {seed}" --to 4.jsonl

Each pair of games has the same seed and swapped colours. Every game becomes a line of the file; a
stopped match continues from there. The report has the score and the processor time of each engine,
as a limit in seconds allows less search on a busy machine.
"""

import argparse
import json
import math
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Self

from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.scoring import score
from firmware.rules.variants import GAMES

PENTOBI: Final = (
    "--game {game} --level {level} --threads 1 --nobook --noresign --quiet --seed {seed}"
)
"""Options of `pentobi-gtp`."""

SIDE_NAMES: Final = {2: ("b", "w"), 4: ("1", "2", "3", "4")}
"""Names of the colours in GTP, by the number of colours."""

PENTOBI_GAMES: Final = {
    "duo": "duo",
    "classic": "classic",
    "classic-2": "classic_2",
    "classic-3": "classic_3",
}
"""Names of the games in Pentobi."""


class GtpProcess:
    """A program that speaks GTP."""

    def __init__(self, words: list[str]) -> None:
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def __call__(self, command: str) -> str:
        """Returns the response to a command."""
        source, sink = self._process.stdout, self._process.stdin
        assert source is not None
        assert sink is not None
        sink.write(command + "\n")
        sink.flush()
        lines: list[str] = []
        while line := source.readline():
            if not line.strip() and lines:
                break
            if line.strip():
                lines.append(line.rstrip("\n"))
        assert lines, f"{command}: the engine has ended"
        assert lines[0].startswith("="), f"{command}: {lines}"
        return "\n".join([lines[0][1:].strip(), *lines[1:]]).strip()


def play(game: str, ours: GtpProcess, other: GtpProcess, number: int) -> dict[str, Any]:
    """Plays one game; `ours` plays the first side in games with even numbers."""
    position = Position.start(game, "fixed")
    names = SIDE_NAMES[len(position.game.colours)]
    engines = (ours, other)
    spent = [float(engine("cputime")) for engine in engines]
    for engine in engines:
        engine("clear_board")
    moves, simulations = [], 0
    while position.to_move is not None:
        colour = names[position.to_move]
        side = position.next_side
        assert side is not None
        mover = 0 if side % 2 == number % 2 else 1
        text = engines[mover](f"genmove {colour}")
        engines[1 - mover](f"play {colour} {text}")
        if mover == 0:
            values = ours("move_values").splitlines()
            simulations += sum(int(row.split()[0]) for row in values)
        position = position.play(Move.parse(text, position.game.size))
        moves.append(text)
    points = [0, 0]
    for index, side_score in enumerate(score(position).sides):
        points[0 if index % 2 == number % 2 else 1] += side_score.advanced
    return {
        "game": number,
        "lead": points[0] - points[1],
        "moves": moves,
        "simulations": simulations,
        "cpu": [
            round(float(engine("cputime")) - before, 3)
            for engine, before in zip(engines, spent, strict=True)
        ],
    }


def report(rows: list[dict[str, Any]]) -> str:
    """Returns the score with its 95 % interval, and the processor times."""
    won = sum(row["lead"] > 0 for row in rows)
    lost = sum(row["lead"] < 0 for row in rows)
    share = (won + (len(rows) - won - lost) / 2) / len(rows)
    error = 1.96 * math.sqrt(max(share * (1 - share), 1e-9) / len(rows))
    ours = sum(len(row["moves"]) for row in rows) / 2
    cpu = [sum(row["cpu"][i] for row in rows) / ours for i in (0, 1)]
    visits = sum(row["simulations"] for row in rows) / ours
    return (
        f"{len(rows)} games: {won} won, {lost} lost, {len(rows) - won - lost} equal: "
        f"{share:.1%} +- {error:.1%}; a move {visits:,.0f} visits and {cpu[0] * 1e3:.0f} ms of CPU"
        f" against {cpu[1] * 1e3:.0f} ms"
    )


def main(words: Sequence[str]) -> None:
    """Plays or continues a match."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation matches")
    parser.add_argument("--game", choices=GAMES, default="duo")
    thinking = parser.add_mutually_exclusive_group()
    thinking.add_argument("--seconds", type=float, default=0.1)
    thinking.add_argument("--level", help="1 to 12, or a name")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--against", help="command of the other engine; {seed} is replaced")
    parser.add_argument("--to", type=Path, help="file of the games, from which a match continues")
    arguments = parser.parse_args(words)
    program = os.environ.get("PENTOBI_GTP", "pentobi-gtp")
    game = PENTOBI_GAMES.get(arguments.game, "duo")
    usual = PENTOBI.format(game=game, level=4, seed="{seed}")
    against = arguments.against or f"{shlex.quote(program)} {usual}"
    if shutil.which(shlex.split(against)[0]) is None:
        print("no pentobi-gtp here: name it with PENTOBI_GTP or --against")  # noqa: T201
        return
    rows = []
    if arguments.to and arguments.to.exists():
        rows = [json.loads(line) for line in arguments.to.read_text().splitlines()]
    for number in range(len(rows), arguments.games, 2):
        seed = str(number // 2 + 1)
        thinking_words = (
            ["--level", arguments.level]
            if arguments.level
            else ["--seconds", str(arguments.seconds)]
        )
        ours = [sys.executable, "-m", "firmware", "gtp", "--game", arguments.game]
        other = shlex.split(against.replace("{seed}", seed))
        with GtpProcess([*ours, *thinking_words, "--seed", seed]) as one, GtpProcess(other) as two:
            # A fresh process of each, without state of other games.
            for swapped in (number, number + 1):
                rows.append(play(arguments.game, one, two, swapped))
                if arguments.to:
                    with arguments.to.open("a") as file:
                        file.write(json.dumps(rows[-1]) + "\n")
        print(report(rows), flush=True)  # noqa: T201
