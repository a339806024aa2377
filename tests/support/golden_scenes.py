"""Golden pictures of the scenes of lights, and the animated picture of the README.

`python -m tests.support.golden_scenes` makes them again: check them before you commit them.
"""

from pathlib import Path

import cv2
import numpy as np

from firmware.codes import LightPlace, Translucency
from firmware.commands.watch_output import draw
from firmware.game.events import MoveAccepted, Solved
from firmware.game.state import GameState, apply_event
from firmware.lights.scene import Scene, SceneContext, at, scene
from firmware.rules.position import Position
from firmware.rules.variants import EDITIONS, PUZZLES, Edition, default_edition
from firmware.simulator.move_choice import solved
from tests.conftest import ROOT
from tests.support.led_scenes import showings
from tests.support.random_games import played

FOLDER = Path(__file__).parent.parent / "golden"
FILM = ROOT / ".github" / "lights.webp"
GAMES = {"duo": ("purple-orange", 6), "classic": ("blue-yellow-red-green", 9)}
TITLES = ("turn", "refused", "disturbed", "unsure", "hint-whole", "over", "digits")

HALF_SECONDS = 20
SHOWN_MS = 500
GAP = 12
PAPER = (245, 245, 245)


def scenes() -> dict[str, tuple[GameState, Edition, Scene]]:
    """Returns every golden scene by file name."""
    found = {}
    for game, (edition, plies) in GAMES.items():
        position, names = played(game, 11, plies), EDITIONS[edition]
        for pieces in Translucency:
            for name, (state, glows) in showings(position, names, pieces).items():
                found[f"{game}-{pieces}-{name}"] = state, names, glows
    for pieces in Translucency:
        for name, state in puzzle_states().items():
            names = default_edition(state.position.game)
            glows = scene(state, names, SceneContext(pieces))
            found[f"tetrominoes-{pieces}-{name}"] = state, names, glows
    return found


def puzzle_states() -> dict[str, GameState]:
    """Returns a begun puzzle and a solved one."""
    solution = solved(PUZZLES["puzzle-tetrominoes"])
    begun = GameState(Position.start(solution.game))
    for ply, colour in enumerate((0, 1, 2, 0), 1):
        move = solution.laid[colour][ply // 2]
        begun = apply_event(begun, MoveAccepted(ply, 0.5, ply, colour, move, 1.0))
    return {"turn": begun, "over": apply_event(GameState(solution), Solved(1, 0.5))}


def picture(name: str, state: GameState, edition: Edition, glows: Scene) -> np.ndarray:
    """Returns both halves of a blink side by side; a panel if the name ends so."""
    place = LightPlace.BESIDE if name.endswith("beside") else LightPlace.UNDER
    halves = [draw(state, edition, at(glows, moment), place) for moment in (0.0, 0.5)]
    gap = np.full((halves[0].shape[0], GAP, 3), PAPER, np.uint8)
    return np.hstack([halves[0], gap, halves[1]])


def film() -> list[np.ndarray]:
    """Returns the animated scenes of Duo, opaque pieces above and translucent ones below."""
    frames = []
    made = scenes()
    for step in range(HALF_SECONDS):
        rows = []
        for pieces in Translucency:
            row = [made[f"duo-{pieces}-{title}"] for title in TITLES]
            boards = [_small(draw(p, e, at(glows, step / 2))) for p, e, glows in row]
            rows.append(np.hstack([cv2.copyMakeBorder(one, 6, 6, 6, 6, cv2.BORDER_CONSTANT,
                                                      value=PAPER) for one in boards]))  # fmt: skip
        frames.append(np.vstack(rows))
    return frames


def _small(image: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.resize(image, (196, 196), interpolation=cv2.INTER_AREA))


def main() -> None:
    """Writes all pictures."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    for name, parts in scenes().items():
        cv2.imwrite(
            str(FOLDER / f"{name}.png"), picture(name, *parts), [cv2.IMWRITE_PNG_COMPRESSION, 9]
        )
    animation = cv2.Animation()
    animation.frames = film()
    animation.durations = [SHOWN_MS] * HALF_SECONDS
    cv2.imwriteanimation(str(FILM), animation, [cv2.IMWRITE_WEBP_QUALITY, 80])


if __name__ == "__main__":
    main()
