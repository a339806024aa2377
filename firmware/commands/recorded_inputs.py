"""The inputs of a recorded session, for verbs that repeat it."""

import sys
from pathlib import Path

from firmware.assembly.game_config import AUTO
from firmware.storage.session_inputs import SessionInputs, load_inputs


def inputs_of(source: Path, game: str | None) -> SessionInputs | None:
    """Returns what people did in a recording; None if that is not known, or of another game.

    Args:
        source: the recording, or any other source of pictures.
        game: key of the game that the command line names; None if it names none.
    """
    inputs = load_inputs(source)
    if inputs is None or game in {None, AUTO, inputs.config.game.key}:
        return inputs
    title = inputs.config.game.title
    print(f"cornerlight: {source} is of {title}: what people did is left out", file=sys.stderr)
    return None
