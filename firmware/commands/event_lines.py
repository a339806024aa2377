"""Lines that `watch`, `run` and `demo` print: events and the summary of a game."""

import json
from typing import Any

from firmware.commands.event_sentences import TableNames, event_sentence
from firmware.commands.main import say
from firmware.game.event_codec import to_json
from firmware.game.events import Event
from firmware.game.state import GameState
from firmware.rules.scoring import score
from firmware.rules.variants import Edition, puzzle_name
from firmware.session.controller import Controller


def event_line(event: Event, names: TableNames, *, as_json: bool) -> str:
    """Returns an event as a line for a person, or as JSON.

    Args:
        event: the event.
        names: names of people, colours and squares.
        as_json: True for JSON.

    Returns:
        The line; empty for an event that a person need not know of.
    """
    if as_json:
        return json.dumps(to_json(event, names.position.game.size, names.edition))
    sentence = event_sentence(event, names)
    minutes, seconds = divmod(int(event.time), 60)
    return f"{minutes:4}:{seconds:02}  {sentence}" if sentence else ""


def say_event(event: Event, controller: Controller, *, as_json: bool = False) -> None:
    """Prints an event of a table as `event_line` words it.

    Args:
        event: the event.
        controller: the loop of the table.
        as_json: True for JSON.
    """
    tracker = controller.devices.tracker
    state, people = tracker.referee.state, controller.session.config.names
    names = TableNames(state.position, tracker.referee.edition, people, state.computer)
    if line := event_line(event, names, as_json=as_json):
        say(line)


def summary_line(
    state: GameState, edition: Edition, frames: int, seconds: float, *, as_json: bool
) -> str:
    """Returns the summary of a game as a line for a person, or as JSON.

    Args:
        state: the state of the game.
        edition: names of the colours in the order of play.
        frames: number of frames.
        seconds: seconds that the program took; for a puzzle those that people took.
        as_json: True for JSON.
    """
    if state.position.game.puzzle is not None:
        return _puzzle_summary(state, frames, seconds, as_json=as_json)
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
    return f"{summary['moves']} moves in {frames} frames, {end}; score: {scores}"


def _puzzle_summary(state: GameState, frames: int, seconds: float, *, as_json: bool) -> str:
    """Returns the summary of a puzzle, which nobody wins."""
    position, finished = state.position, state.over and state.ended is None
    left = position.count_in_hand
    if as_json:
        summary: dict[str, Any] = {
            "event": "summary",
            "game": position.game.key,
            "puzzle": puzzle_name(position.game),
            "frames": frames,
            "moves": len(state.history),
            "finished": finished,
            "left": left,
            "seconds": round(seconds, 2),
        }
        return json.dumps(summary)
    end = "solved" if finished else f"not solved, {left} pieces left"
    return f"{len(state.history)} moves in {frames} frames, {end} after {seconds:.0f} s"
