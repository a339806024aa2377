"""Trial: rate of wrong verdicts in rendered games of simulated people, with accidents.

Run it with `python -m tests.evaluation soak --placements 1000 --game duo --seed 1`. Evenings are
appended to a file of JSON lines, so that a trial can be continued and summed up; one with a wrong
verdict is stored as a folder that `watch` reads, and as a script.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from firmware.rules.variants import GAMES
from tests.evaluation.soak.accidents import ACCIDENTS, opening
from tests.evaluation.soak.keeping import keep
from tests.evaluation.soak.rendered_game import RenderedGame
from tests.evaluation.soak.tally import GameTally, read_tallies, table
from tests.support.table_script import ScriptSetup, Wait

SIZES = ((640, 480), (960, 720), (1280, 960))


def four_colours(game: str) -> bool:
    """True if four colours play."""
    return len(GAMES[game].colours) == 4


def drawn(game: str, dice: np.random.Generator, seed: int) -> ScriptSetup:
    """Returns a random table with pieces and a camera."""
    editions = ("purple-orange", "black-white", "blue-green", "red-yellow")
    width, height = SIZES[int(dice.choice(3, p=(0.6, 0.25, 0.15)))]
    lights = str(dice.choice(("", "opaque", "translucent"), p=(0.4, 0.3, 0.3)))
    fps = float(dice.choice((2.0, 4.0, 10.0), p=(0.6, 0.25, 0.15)))
    # Lights need dark frames: a camera with frames in buffers has to be fast.
    late = int(dice.integers(0, 5)) if lights and fps > 2 else 0
    return ScriptSetup(
        game=game,
        edition="blue-yellow-red-green" if four_colours(game) else str(dice.choice(editions)),
        seed=seed,
        fps=fps,
        lights=lights,
        late=late,
        width=width,
        height=height,
        noise=round(float(dice.uniform(1.0, 4.0)), 1),
        jpeg=int(dice.integers(70, 91)),
        opacity=1.0 if lights or dice.random() < 0.85 else round(float(dice.uniform(0.7, 0.95)), 2),
        told=bool(dice.random() < 0.5),
    )


def play(game: str, seed: tuple[int, int], most: int) -> RenderedGame:
    """Plays one evening, to the end of the game, a wrong verdict, or `most` placements."""
    dice = np.random.default_rng(seed)
    evening = RenderedGame(drawn(game, dice, int(dice.integers(1, 5))), dice)
    evening.do(Wait(int(dice.integers(1, 4))))
    if not evening.setting.told and not four_colours(game):
        opening(evening)
    kinds = list(ACCIDENTS)
    shares = np.array(list(ACCIDENTS.values()))
    while not (evening.broken or evening.position.is_over or len(evening.rows) >= most):
        kinds[int(dice.choice(len(kinds), p=shares / shares.sum()))](evening)
    return evening


def soak(
    game: str, seed: int, placements: int, done: Sequence[GameTally]
) -> Iterator[tuple[GameTally, RenderedGame]]:
    """Yields evenings until there are `placements` placements, including those in `done`."""
    numbers = {one.seed[1] for one in done if (one.game, one.seed[0]) == (game, seed)}
    count = sum(len(one.rows) for one in done if one.game == game)
    number = 0
    while count < placements:
        number += 1
        if number in numbers:
            continue
        evening = play(game, (seed, number), placements - count)
        count += len(evening.rows)
        yield (
            GameTally(game, (seed, number), evening.setting.fps, tuple(evening.rows), evening.note),
            evening,
        )


def main(words: Sequence[str]) -> None:
    """Runs the trial, stores failed evenings, and prints the results."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation soak")
    parser.add_argument("--placements", type=int, default=300)
    parser.add_argument("--game", choices=GAMES, action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", metavar="FILE", type=Path, help="JSON lines to continue")
    parser.add_argument("--failures", metavar="FOLDER", type=Path, help="folder of failed evenings")
    arguments = parser.parse_args(words)
    cv2.setNumThreads(1)
    done = read_tallies(arguments.resume) if arguments.resume else []
    start, before = time.process_time(), sum(len(one.rows) for one in done)
    for game in arguments.game or ["duo", "classic"]:
        for played, evening in soak(game, arguments.seed, arguments.placements, done):
            done.append(played)
            if arguments.resume:
                with arguments.resume.open("a", encoding="utf-8") as file:
                    file.write(played.line() + "\n")
            if evening.broken and arguments.failures:
                folder = keep(evening, played, arguments.failures)
                last = f"{evening.rows[-1]}: {evening.note}: {folder}"
                print(last, file=sys.stderr, flush=True)  # noqa: T201
    seconds = time.process_time() - start
    count = sum(len(one.rows) for one in done) - before
    print("\n".join(table(done)))  # noqa: T201
    speed = f"{count / max(seconds, 1e-9):.1f} a second of one core"
    print(f"{count} placements in {seconds:.0f} s, {speed}")  # noqa: T201
