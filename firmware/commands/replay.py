"""`cornerlight replay`: checks a game record move by move, and scores it."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

from firmware.codes import Rule, Scoring
from firmware.commands.board_text import draw, square_names
from firmware.commands.main import FAULT
from firmware.errors import CornerlightError
from firmware.records.node_properties import RecordedPlacement
from firmware.records.record import Record
from firmware.records.replay import (
    Entry,
    ReplayedLifting,
    ReplayedMove,
    ReplayedPass,
    ReplayedRefusal,
    ReplayedSetup,
    final_position,
    open_record,
)
from firmware.rules.board import Board
from firmware.rules.position import Position
from firmware.rules.puzzle_faults import is_solved
from firmware.rules.reconstruction import Problem
from firmware.rules.scoring import Score, score
from firmware.rules.variants import Edition, puzzle_name
from firmware.rules.violations import Violation

EXAMPLE: Final = "cornerlight replay --board club-evening.blksgf"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    parser.add_argument("record", metavar="RECORD.blksgf", type=Path, help="the game record")
    parser.add_argument(
        "--scoring",
        choices=[scoring.value for scoring in Scoring],
        help="scoring that names the winner (default: the record's, or advanced)",
    )
    parser.add_argument("--board", action="store_true", help="draw the board after each move")
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each move")


def run(arguments: argparse.Namespace) -> int:
    """Checks and prints."""
    record, entries = open_record(arguments.record)
    if arguments.scoring and record.game.puzzle is not None:
        raise CornerlightError(f"{arguments.record}: a puzzle has no score; leave out --scoring")
    scoring = Scoring(arguments.scoring) if arguments.scoring else record.scoring
    final = final_position(record, entries)
    if arguments.json:
        for entry in entries:
            for row in _rows(entry, record):
                print(json.dumps(row))
        print(json.dumps(_summary(record, final, scoring)))
    else:
        for entry in entries:
            print(_line(entry, record))
            if arguments.board:
                print(_picture(entry, record.edition))
        print(_result(record, final, scoring))
    return FAULT if any(_is_fault(entry) for entry in entries) else 0


def _is_fault(entry: Entry) -> bool:
    if isinstance(entry, ReplayedLifting):
        return bool(entry.problems)
    return isinstance(entry, ReplayedMove) and not entry.stands


# JSON


def _rows(entry: Entry, record: Record) -> list[dict[str, Any]]:
    if isinstance(entry, ReplayedLifting):
        return _liftings(entry, record.edition)
    return [_row(entry, record)]


def _liftings(entry: ReplayedLifting, edition: Edition) -> list[dict[str, Any]]:
    """Returns a line for each piece; what is wrong without them is in the last one."""
    board = entry.after.board
    rows: list[dict[str, Any]] = [
        {
            "event": "undone",
            "after_ply": entry.after_ply,
            "color": edition[colour],
            "piece": move.piece.name,
            "cells": square_names(board, move.squares),
        }
        for colour, move in entry.lifted
    ]
    if entry.problems:
        rows[-1]["problems"] = _problems(entry.problems, board, edition)
    return rows


def _problems(
    problems: tuple[Problem, ...], board: Board, edition: Edition
) -> list[dict[str, Any]]:
    return [{"color": edition[one.colour], **_reason(one.violation, board)} for one in problems]


def _row(
    entry: ReplayedMove | ReplayedRefusal | ReplayedPass | ReplayedSetup, record: Record
) -> dict[str, Any]:
    edition = record.edition
    if isinstance(entry, ReplayedPass):
        return {"event": "pass", "color": edition[entry.colour], "after_ply": entry.after_ply}
    if isinstance(entry, ReplayedSetup):
        position = entry.after
        to_move = position.to_move if record.game.puzzle is None else None
        return {
            "event": "set-up",
            "after_ply": entry.after_ply,
            "to_move": None if to_move is None else edition[to_move],
            "cells": position.rows("".join(record.letters)),
            "problems": _problems(entry.problems, position.board, edition),
        }
    board = Board.of(record.game.size)
    if isinstance(entry, ReplayedRefusal):
        return {
            "event": "illegal",
            "after_ply": entry.after_ply,
            "color": edition[entry.attempted.colour],
            "cells": _names(entry.attempted, board),
            "reasons": _reasons(entry.violations, entry.attempted, board),
        }
    row: dict[str, Any] = {
        "ply": entry.number,
        "color": edition[entry.played.colour],
        "piece": entry.move.piece.name if entry.move else None,
        "cells": _names(entry.played, board),
        "legal": not entry.violations,
        "legal_moves": entry.legal_moves,
    }
    if entry.violations:
        row["reasons"] = _reasons(entry.violations, entry.played, board)
        row["overruled"] = entry.played.overruled
    return row


def _names(placing: RecordedPlacement, board: Board) -> list[str]:
    return square_names(board, placing.squares) + list(placing.off_board)


def _reasons(
    violations: tuple[Violation, ...], placing: RecordedPlacement, board: Board
) -> list[dict[str, Any]]:
    return [
        {"rule": one.rule.value, "squares": list(placing.off_board), "against": []}
        if one.rule is Rule.OFF_BOARD
        else _reason(one, board)
        for one in violations
    ]


def _reason(one: Violation, board: Board) -> dict[str, Any]:
    return {
        "rule": one.rule.value,
        "squares": square_names(board, one.squares),
        "against": square_names(board, one.against),
    }


def _summary(record: Record, final: Position, scoring: Scoring) -> dict[str, Any]:
    if record.game.puzzle is not None:
        return {
            "event": "summary",
            "game": record.game.key,
            "puzzle": puzzle_name(record.game),
            "finished": is_solved(final),
            "left": final.count_in_hand,
            "seconds": record.seconds,
            "result": record.result,
        }
    edition = record.edition
    found = score(final)
    by_colour = list(zip(edition, found.colours, strict=True))
    winner, tied = _ended(final, found, scoring, edition)
    return {
        "event": "summary",
        "game": record.game.key,
        "finished": final.is_over,
        "scoring": scoring.value,
        "placed": {name: one.placed for name, one in by_colour},
        "basic": {name: one.basic for name, one in by_colour},
        "score": {name: one.advanced for name, one in by_colour},
        "players": [
            {"colors": _of(side.colours, edition), "basic": side.basic, "score": side.advanced}
            for side in found.sides
        ],
        "winner": winner,
        "tied": tied,
        "basic_winner": _ended(final, found, Scoring.BASIC, edition)[0],
        "result": record.result,
    }


def _of(colours: tuple[int, ...], edition: Edition) -> list[str]:
    return [edition[colour] for colour in colours]


def _ended(
    final: Position, found: Score, scoring: Scoring, edition: Edition
) -> tuple[list[str] | None, list[str]]:
    """Returns the colours of the winner, or None, and those of tied sides."""
    if not final.is_over:
        return None, []
    winner, tied = found.outcome(scoring)
    return _of(winner, edition) or None, _of(tied, edition)


# Text


def _line(entry: Entry, record: Record) -> str:
    edition = record.edition
    board = Board.of(record.game.size)
    if isinstance(entry, ReplayedPass):
        return f"     {edition[entry.colour]} has no placement left"
    if isinstance(entry, ReplayedSetup | ReplayedLifting):
        return _change(entry, edition) + "".join(
            f"\n     impossible for {edition[p.colour]}: {_words(p.violation, board)}"
            for p in entry.problems
        )
    placing = entry.attempted if isinstance(entry, ReplayedRefusal) else entry.played
    text = f"{edition[placing.colour]:<7}{','.join(_names(placing, board))}"
    reasons = "; ".join(_words(one, board) for one in entry.violations)
    if isinstance(entry, ReplayedRefusal):
        return f"   - {text}: refused, {reasons}; taken back"
    if not entry.violations:
        return f"{entry.number:>4} {text}"
    verdict = "illegal, but the arbiter let it stand" if entry.stands else "ILLEGAL"
    return f"{entry.number:>4} {text}: {verdict}, {reasons}"


def _change(entry: ReplayedSetup | ReplayedLifting, edition: Edition) -> str:
    if isinstance(entry, ReplayedSetup):
        return "     the position is set by hand"
    pieces = (f"     {edition[colour]:<7}{move}: lifted" for colour, move in entry.lifted)
    return "\n".join(pieces)


def _words(one: Violation, board: Board) -> str:
    words = one.rule.value
    if one.squares:
        words += f" at {','.join(square_names(board, one.squares))}"
    if one.against:
        words += f" against {','.join(square_names(board, one.against))}"
    return words


def _picture(entry: Entry, edition: Edition) -> str:
    if isinstance(entry, ReplayedMove):
        marked = entry.played.squares
    elif isinstance(entry, ReplayedSetup | ReplayedLifting):
        marked = ()
    else:
        return ""
    return draw(entry.after, edition, coloured=sys.stdout.isatty(), marked=marked) + "\n"


def _puzzle_result(record: Record, final: Position) -> str:
    seconds = None if record.seconds is None else f"{record.seconds:g} s"
    if is_solved(final):
        return "the puzzle is solved" + (f" in {seconds}" if seconds else "")
    left = final.count_in_hand
    if not left:
        return "the puzzle is not solved: all pieces are laid, but not all as the rules allow"
    pieces = "1 piece is" if left == 1 else f"{left} pieces are"
    return f"the puzzle is not solved: {pieces} left" + (f" after {seconds}" if seconds else "")


def _result(record: Record, final: Position, scoring: Scoring) -> str:
    if record.game.puzzle is not None:
        return _puzzle_result(record, final)
    found = score(final)
    lines = ["the game is over" if final.is_over else "the game is not finished"]
    for side in found.sides:
        points = side.basic if scoring is Scoring.BASIC else side.advanced
        unit = " squares left" if scoring is Scoring.BASIC else ""
        lines.append(f"  {' and '.join(_of(side.colours, record.edition)):<18}{points:>4}{unit}")
    winner, tied = _ended(final, found, scoring, record.edition)
    if winner:
        verb = "win" if len(winner) > 1 else "wins"
        lines.append(f"{' and '.join(winner)} {verb} by the {scoring} scoring")
    elif tied:
        lines.append(f"{', '.join(tied)} are equal by the {scoring} scoring")
    if record.result:
        lines.append(f"the record says {record.result}")
    return "\n".join(lines)
