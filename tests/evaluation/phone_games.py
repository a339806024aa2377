"""Trial: whole games and puzzles by touch on phones, each move without scrolling the page.

    python -m tests.evaluation phone_games --game classic --size 320x568

Before and after each move the picture, the tray and the buttons are on one screen. Printed are the
moves of each game and the seconds from letting a piece go to the verdict.
"""

import argparse
import statistics
from typing import Final

from playwright.sync_api import Browser

from firmware.player.search.solver import solve
from firmware.rules.position import Position
from firmware.rules.variants import GAMES, PUZZLES
from tests.support.browser import PageVisit, browser
from tests.support.played_table import BrowserPlayer, lay_in_view, play
from tests.support.running_demo import running_demo

SIZES: Final = ("390x664", "360x560", "320x568")
"""Pixels that browsers of phones leave to a page."""

_LONGEST_S: Final = 300.0
"""Seconds in which a puzzle has to be solved."""


def game_by_touch(chromium: Browser, key: str, size: str) -> str:
    """Plays a game to its end; returns a row of the table."""
    width, height = map(int, size.split("x"))
    context = chromium.new_context(
        viewport={"width": width, "height": height}, has_touch=True, is_mobile=True
    )
    visit = PageVisit.begin(context)
    player, position = BrowserPlayer(visit.page, by_finger=True), Position.start(key)
    with running_demo() as address:
        if key in PUZZLES:
            player.begin_puzzle(address, key)
            for ply, (colour, move) in enumerate(
                solve(position, seed=1, seconds=_LONGEST_S).moves, 1
            ):
                lay_in_view(player, colour, move)
                player.accepted(ply, move)
        else:
            player.begin(address, "here", key)
            play(player, position, lay_in_view)
        player.until(lambda: player.fact("finished") == "true")
        plies = player.fact("ply")
        assert visit.complaints == []
        context.close()
    verdict_s = statistics.median(player.latencies_s)
    return f"{key:26} {size} {plies:>3} moves, verdict {verdict_s:.2f} s, {player.doubts} doubts"


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation phone_games")
    parser.add_argument("--game", choices=(*GAMES, *PUZZLES), action="append")
    parser.add_argument("--size", choices=SIZES, action="append")
    options = parser.parse_args(words)
    with browser() as chromium:
        for key in options.game or (*GAMES, *PUZZLES):
            for size in options.size or SIZES:
                print(game_by_touch(chromium, key, size), flush=True)  # noqa: T201
