"""The options, the progress and the report of a calibration."""

import argparse
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from firmware.game.levels import level_name
from firmware.player.search.levels import LEVELS
from firmware.rules.variants import GAMES
from tests.evaluation.levels.games import PlayedGame, play, started_pair
from tests.evaluation.levels.ladder import Interval, elo, scale, share
from tests.evaluation.levels.openings import begun, different
from tests.evaluation.levels.stored import StoredPair, stored_pairs
from tests.evaluation.matches import PENTOBI_GAMES

_GAMES: Final = 400
"""Games of a pair."""

_COSTLY_GAMES: Final = 200
"""Games of a pair in which a side makes more than `_COSTLY` simulations a move."""

_COSTLY: Final = 3_000
"""Simulations of a move."""

_SAMPLED: Final = 4
"""Games of a pair without a folder to store them."""

_SEEDS: Final = 20
"""Seeds of a level whose openings are compared: 190 pairs."""

_PROBED: Final = 2
"""Games of a pair that tell how long the others take."""

_EVERY: Final = 20
"""Games between two lines of progress."""

_HEADING: Final = (
    "| player | simulations | temperature | score against the level below | Elo above it "
    "| Elo above level 1 |"
)
"""Heading of the table of all players."""

Pair = tuple[str, str]
"""Names of two players, the weaker one first."""


def main(words: Sequence[str]) -> None:
    """Plays or continues a calibration, then reports all games in its folder."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation levels")
    parser.add_argument("--game", choices=PENTOBI_GAMES, default="duo")
    parser.add_argument("--pairs", type=_pairs, default=_neighbours(), metavar="0-1,1-2,p4-7")
    parser.add_argument("--games", type=int, help="games of a pair (default: 400, costly ones 200)")
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="folder of the games")
    parser.add_argument("--pentobi", default=os.environ.get("PENTOBI_GTP", "pentobi-gtp"))
    parser.add_argument("--openings", action="store_true", help="compare openings of each level")
    parser.add_argument("--report", action="store_true", help="report only")
    arguments = parser.parse_args(words)
    pairs: list[Pair] = arguments.pairs
    if any("p" in low for low, _ in pairs) and shutil.which(arguments.pentobi) is None:
        parser.error("no pentobi-gtp here: name it with PENTOBI_GTP or --pentobi")
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.to or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        wanted = arguments.games or (None if arguments.to else _SAMPLED)
        if not arguments.report:
            jobs = [
                (StoredPair(folder, arguments.game, pair), _most(pair, wanted)) for pair in pairs
            ]
            _play_all(jobs, arguments.pentobi)
        _say(report(folder, arguments.game))
    if arguments.openings:
        _compare_openings(arguments.game)


def _neighbours() -> list[Pair]:
    return [(str(level), str(level + 1)) for level in range(len(LEVELS))]


def _pairs(text: str) -> list[Pair]:
    known = {*map(str, range(len(LEVELS) + 1)), *(f"p{level}" for level in range(1, 10))}
    pairs = [tuple(pair.split("-")) for pair in text.split(",")]
    for pair in pairs:
        if len(pair) != 2 or not known.issuperset(pair) or pair[1].startswith("p"):
            raise argparse.ArgumentTypeError(
                f"pairs of players such as 0-1 or p4-7, not {'-'.join(pair)!r}; levels are 0 to"
                f" {len(LEVELS)}, and p1 to p9 those of Pentobi, which come first"
            )
    return [(pair[0], pair[1]) for pair in pairs]


def _most(pair: Pair, wanted: int | None) -> int:
    """Number of games of a pair, which is even."""
    if wanted is not None:
        return wanted + wanted % 2
    levels = [LEVELS[int(one) - 1] for one in pair if one.isdecimal() and one != "0"]
    is_costly = any(one.simulations > _COSTLY for one in levels)
    return _COSTLY_GAMES if is_costly else _GAMES


def _play_all(jobs: list[tuple[StoredPair, int]], pentobi: str) -> None:
    """Plays two games of each pair, says how long all take, and plays the others."""
    for stored, most in jobs:
        _play_on(stored, min(most, _PROBED), pentobi)
    hours = sum(_remaining_s(stored, most) for stored, most in jobs) / 3600
    _say(f"about {hours:.1f} CPU hours remain; stop at any time, it goes on from there")
    for stored, most in jobs:
        _play_on(stored, most, pentobi)


def _remaining_s(stored: StoredPair, most: int) -> float:
    games = stored.read()
    mean = sum(one.seconds for one in games) / len(games)
    return mean * max(0, most - len(games))


def _play_on(stored: StoredPair, most: int, pentobi: str) -> None:
    """Plays until there are so many games of a pair, two with each opening."""
    games = stored.read()
    while (number := len(games) - len(games) % 2) < most:
        with started_pair(stored.players, stored.game, number // 2 + 1, pentobi) as pair:
            both = [play(pair, stored.game, one) for one in (number, number + 1)]
        stored.add(both)
        games = [*games[:number], *both]
        if len(games) % _EVERY == 0 or len(games) >= most:
            left = _remaining_s(stored, most) / 60
            _say(f"{_line(stored.players, games)}; {left:.0f} CPU minutes to go")


def _line(pair: Pair, games: Sequence[PlayedGame]) -> str:
    score = share(games)
    low, high = elo(score.low), elo(score.high)
    return (
        f"{pair[1]:>3} against {pair[0]:>3}: {len(games)} games, {score.value:.1%}, "
        f"Elo {elo(score.value):+.0f} ({low:+.0f} to {high:+.0f})"
    )


def report(folder: Path, game: str) -> str:
    """Returns the scores of all pairs in a folder, and a table of all players on one scale."""
    results = {one.players: one.read() for one in stored_pairs(folder, game)}
    results = {pair: games for pair, games in results.items() if games}
    lines = [f"{GAMES[game].title}:", *(_line(*one) for one in results.items())]
    if any("1" in pair for pair in results):
        placed = scale(results, "1")
        lines += ["", _HEADING, "|---|---|---|---|---|---|"]
        for player, at in sorted(placed.items(), key=lambda one: one[1].value):
            lines.append(_row(player, at, results))
        lines.append("")
    hours = sum(one.seconds for games in results.values() for one in games) / 3600
    return "\n".join([*lines, f"{hours:.2f} CPU hours in all"])


def _row(player: str, at: Interval, results: Mapping[Pair, Sequence[PlayedGame]]) -> str:
    """A row of the table in Markdown that `firmware/README.md` shows."""
    name, thinking, below = f"Pentobi's level {player[1:]}", " | ", " | "
    if player == "0":
        name = "a random largest piece"
    elif player.isdecimal():
        one = LEVELS[int(player) - 1]
        name = level_name(int(player))
        thinking = f"{one.simulations:,} | {one.temperature:g}"
        games = results.get((str(int(player) - 1), player), ())
        if games:
            score = share(games)
            low, high = elo(score.low), elo(score.high)
            below = f"{score.value:.0%} of {len(games)} | {elo(score.value):+.0f}"
            below += f" ({low:+.0f} to {high:+.0f})"
    return f"| {name} | {thinking} | {below} | {at.value:+.0f} ({at.low:+.0f} to {at.high:+.0f}) |"


def _compare_openings(game: str) -> None:
    for level in range(1, len(LEVELS) + 1):
        positions = [begun(level, game, seed) for seed in range(_SEEDS)]
        _say(f"level {level}: {different(positions):.1%} differ by ply 6")


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201
