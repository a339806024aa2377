"""`cornerlight hint`: finds the best moves in the last position of a record, or reviews it."""

import argparse
import json
import sys
from functools import partial
from pathlib import Path
from typing import Final

from firmware.commands.main import FAULT
from firmware.commands.options import level, seconds
from firmware.commands.progress import Progress
from firmware.errors import CornerlightError
from firmware.game.levels import level_name
from firmware.player.client import EngineClient, SearchRequest
from firmware.player.search_process import START_S
from firmware.player.search_result import SearchedMove, SearchResult, move_to_json
from firmware.player.verbs.gtp import LEVEL_HELP
from firmware.player.verbs.hint_review import print_review, reason_sentences, show_start
from firmware.records.course import course_of
from firmware.records.replay import final_position, open_record
from firmware.rules.position import Position
from firmware.rules.variants import puzzle_name
from web.i18n.wording import Wording

EXAMPLE: Final = "cornerlight hint unfinished.blksgf --seconds 3"

_USUAL_S: Final = 3.0
"""Default seconds to think."""

_MOST: Final = 10
"""Greatest number of moves in the answer."""

_MOST_PRINTED: Final = 5
"""Greatest number of moves that are printed as text."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    parser.add_argument("record", metavar="RECORD.blksgf", type=Path, help="the game record")
    thinking = parser.add_mutually_exclusive_group()
    words = f"seconds to think (default: {_USUAL_S:g})"
    thinking.add_argument("--seconds", type=seconds, help=words)
    thinking.add_argument("--level", type=level, help=f"the move of a {LEVEL_HELP}")
    words = "review the whole game: the moves that cost most"
    thinking.add_argument("--review", action="store_true", help=words)
    parser.add_argument("--threads", type=int, choices=range(1, 5), default=1, help="1 to 4")
    parser.add_argument("--json", action="store_true", help="print lines of JSON")


def run(arguments: argparse.Namespace) -> int:
    """Thinks and prints."""
    record, entries = open_record(arguments.record)
    if record.game.puzzle is not None:
        name = puzzle_name(record.game)
        message = f"a puzzle has no best move; use: cornerlight solve {name} --from"
        raise CornerlightError(f"{arguments.record}: {message} {arguments.record}")
    if arguments.review:
        course = course_of(record, entries)
        print_review(course, record.edition, threads=arguments.threads, as_json=arguments.json)
        return 0
    position = final_position(record, entries)
    if position.to_move is None:
        print(f"{arguments.record}: the game is over", file=sys.stderr)
        return FAULT
    thinking_s = None if arguments.level else arguments.seconds or _USUAL_S
    progress = Progress()
    link = EngineClient(threads=arguments.threads)
    try:
        asked = SearchRequest(
            str(position), seconds=thinking_s, level=arguments.level, most=_MOST, reasons=_MOST
        )
        answer = link.finish(
            link.ask(asked),
            START_S + (thinking_s or START_S),
            lambda so_far: progress.show(f"{so_far.simulations:,} simulations"),
            partial(show_start, progress),
        )
    finally:
        progress.clear()
        link.close()
    colour = record.edition[position.to_move]
    if arguments.json:
        print(json.dumps(_row(answer, position, colour)))
    else:
        print(_text(answer, colour, arguments.level))
    if arguments.level and (answer.highest_level or arguments.level) < arguments.level:
        reached = level_name(answer.highest_level or 1)
        print(f"the highest level that this machine plays within 6 s is {reached}", file=sys.stderr)
    return 0


def _row(answer: SearchResult, position: Position, colour: str) -> dict[str, object]:
    return {
        "game": position.game.key,
        "to_move": colour,
        "seconds": answer.seconds,
        "simulations": answer.simulations,
        "proved": answer.proved,
        "moves": list(map(move_to_json, answer.choices)),
    }


def _text(answer: SearchResult, colour: str, level: int | None) -> str:
    lines = [f"{colour} to move, {answer.simulations:,} simulations in {answer.seconds:.1f} s"]
    if answer.proved is not None:
        lines = [f"{colour} to move, {_result(answer.proved)} ({answer.seconds:.1f} s)"]
    if level:
        best = answer.choices[0].move
        lines.append(f"level {level_name(level)} plays {best}; considered were:")
    considered = [one for one in answer.choices if one.visits or answer.proved is not None]
    for one in considered[:_MOST_PRINTED]:
        move = f"{one.move.piece.name:3} {one.move!s:20}"
        lines.append(f"  {move} {_outcome(one, is_solved=answer.proved is not None)}")
        sentences = reason_sentences(one.reasons)
        if not sentences and one is answer.choices[0] and one.proved is None:
            wording = Wording()
            sentences = [wording.sentence(wording.say("no-reason"))]
        lines += [f"      {sentence}" for sentence in sentences]
    return "\n".join(lines)


def _outcome(one: SearchedMove, *, is_solved: bool) -> str:
    if one.proved is not None:
        return _result(one.proved)
    if is_solved:
        return f"proved: a margin of at most {one.margin:+.0f}"
    return f"wins {one.value:4.0%}  margin {one.margin:+5.1f}  ({one.visits})"


def _result(margin: int) -> str:
    """The proved result for the side to move: `proved: wins by 3`."""
    if margin == 0:
        return "proved: a draw"
    return f"proved: {'wins' if margin > 0 else 'loses'} by {abs(margin)}"
