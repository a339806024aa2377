"""Lines that `watch` and `run` print: events and the summary of a game."""

import json
from typing import Any

from firmware.game.event_codec import to_json
from firmware.game.events import Event
from firmware.game.state import GameState
from firmware.rules.scoring import score
from firmware.rules.variants import Edition


def event_line(event: Event, size: int, edition: Edition, *, as_json: bool) -> str:
    """Returns an event as a line for a person, or as JSON.

    Args:
        event: the event.
        size: squares along a side of the board.
        edition: names of the colours in the order of play.
        as_json: True for JSON.
    """
    line = to_json(event, size, edition)
    if as_json:
        return json.dumps(line)
    words = [f"{line['time']:8.2f} s  {line['event']}"]
    words += [str(line[key]) for key in ("color", "piece", "reason") if line.get(key)]
    if "cells" in line:
        words.append(",".join(line["cells"]))
    words += [f"{one['rule']} at {','.join(one['squares'])}" for one in line.get("reasons", ())]
    return "  ".join(words)


def summary_line(
    state: GameState, edition: Edition, frames: int, seconds: float, *, as_json: bool
) -> str:
    """Returns the summary of a game as a line for a person, or as JSON.

    Args:
        state: the state of the game.
        edition: names of the colours in the order of play.
        frames: number of frames.
        seconds: seconds that it took.
        as_json: True for JSON.
    """
    points = [one.advanced for one in score(state.position).colours]
    summary: dict[str, Any] = {
        "event": "summary",
        "game": state.position.game.key,
        "frames": frames,
        "moves": len(state.history),
        "finished": state.over,
        "score": dict(zip(edition, points, strict=True)),
        "seconds": round(seconds, 2),
    }
    if as_json:
        return json.dumps(summary)
    scores = ", ".join(f"{name} {value}" for name, value in summary["score"].items())
    end = "finished" if state.over else "not finished"
    return f"{summary['moves']} moves in {frames} frames, {end}: {scores}"
