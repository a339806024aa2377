"""The GTP engine: commands, Pentobi's conventions, and error answers."""

import io
import subprocess
import sys

import pytest

from firmware.player.search.gtp import GtpEngine
from firmware.player.search.player import SearchLimits, SearchPlayer
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from tests.conftest import ROOT

pytestmark = pytest.mark.slow


def answers(text: str, game: str = "duo") -> list[str]:
    player = SearchPlayer(memory_mb=4)
    engine = GtpEngine(
        lambda position: player.think(position, SearchLimits(simulations=10)), GAMES[game], "1.2"
    )
    out = io.StringIO()
    engine.serve(text.splitlines(), out)
    return out.getvalue().split("\n\n")[:-1]


def test_numbers_comments_and_empty_lines_are_as_in_the_protocol() -> None:
    assert answers("12 name # who\n\n# nothing\nprotocol_version\nversion\nquit\nname") == [
        "=12 Cornerlight",
        "= 2",
        "= 1.2",
        "= ",
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("fly", "unknown command"),
        ("play b", "a colour and a move"),
        ("play x e10", "invalid colour"),
        ("play b zz", "not a square"),
        ("play b a1,c3", "not one of the 21 pieces"),
        ("play b a1", "illegal move: misses-start"),
        ("play b pass", "no move"),
        ("genmove", "one argument"),
        ("undo", "cannot undo"),
        ("boardsize 19", "14 squares"),
        ("set_game chess", "no game"),
        ("clear_board now", "too many"),
    ],
)
def test_wrong_input_is_answered_with_an_error_and_changes_nothing(line: str, message: str) -> None:
    wrong, after = answers(f"3 {line}\nfinal_score")
    assert wrong.startswith("?3 ")
    assert message in wrong
    assert after == "= 0"


def test_starts_are_fixed_to_the_colours() -> None:
    legal = answers("all_legal b\nplay b j5\nplay b e10\nall_legal w\nplay w j5")
    assert all("e10" in line for line in legal[0][2:].splitlines())
    assert legal[1].startswith("? illegal move")
    assert all("j5" in line for line in legal[3][2:].splitlines())
    assert legal[4] == "= "


def test_a_generated_move_is_laid_and_undone() -> None:
    found = answers("reg_genmove b\nfinal_score\ngenmove b\nfinal_score\nmove_values\nundo\nundo")
    move = found[2][2:]
    assert found[1] == "= 0"
    assert found[3] == f"= B+{len(move.split(','))}"
    assert move in found[4].splitlines()[0]
    assert found[5] == "= "
    assert found[6].startswith("?")


def test_a_colour_without_a_placement_answers_pass() -> None:
    lines, colour, position = [], 0, Position.start("duo", "fixed")
    while position.moves_of(1 - colour):
        move = next(m for m in reversed(list(position.moves_of(colour))))
        position = position.with_turn(colour).play(move)
        lines.append(f"play {'bw'[colour]} {move}")
        if not position.moves_of(colour):
            colour = 1 - colour
    assert answers("\n".join([*lines, f"genmove {'bw'[1 - colour]}"]))[-1] == "= pass"


def test_every_command_the_engine_lists_is_known() -> None:
    listed, *_ = answers("list_commands")
    names = listed[2:].split()
    assert len(names) == 18
    known = answers("\n".join(f"known_command {name}" for name in names))
    assert known == ["= true"] * len(names)
    assert answers("known_command fly") == ["= false"]


def test_a_game_of_four_colours_scores_as_pentobi_does() -> None:
    found = answers("play 1 a20\nplay blue b19,c19\nplay 2 t20,t19\nfinal_score", "classic")
    assert found == ["= ", "= ", "= ", "= 3 2 0 0"]
    assert answers("set_game Blokus Two-Player\nplay 1 a20\nfinal_score")[-1] == "= B+1"


def test_the_verb_is_the_engine() -> None:
    words = [sys.executable, "-m", "firmware", "gtp", "--game", "duo", "--level", "1"]
    done = subprocess.run(
        words,
        input="genmove b\ncputime\nquit\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    move, cputime, _ = done.stdout.split("\n\n")[:3]
    assert "e10" in move
    assert float(cputime[2:]) > 0
