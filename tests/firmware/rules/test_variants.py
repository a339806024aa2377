import pytest

from firmware.rules.board import Board
from firmware.rules.errors import NotationError
from firmware.rules.variants import (
    EDITIONS,
    GAMES,
    LETTERS,
    Variant,
    default_edition,
    named_edition,
)


def test_there_are_seven_games() -> None:
    assert list(GAMES) == [
        "duo", "classic", "classic-2", "classic-3", "classic-teams", "duo-4", "duo-4-3",
    ]  # fmt: skip


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_facts_of_a_game_fit_together(game: Variant) -> None:
    Board.of(game.size).parse_squares(",".join(game.starts))
    played = [colour for side in game.sides for colour in side]
    shared = [] if game.shared is None else [game.shared]
    assert sorted(played + shared) == list(game.colours)
    assert len(default_edition(game)) == len(game.colours)
    assert game.people >= len(game.sides)


@pytest.mark.parametrize("shared", range(4))
def test_any_colour_can_be_the_shared_one(shared: int) -> None:
    game = GAMES["classic-3"].sharing(shared)
    assert game.shared == shared
    assert game.sides == tuple((colour,) for colour in range(4) if colour != shared)


def test_sharing_green_is_the_usual_game() -> None:
    assert GAMES["classic-3"].sharing(3) == GAMES["classic-3"]


@pytest.mark.parametrize(("game", "colour"), [("duo", 0), ("classic", 3), ("classic-3", 4)])
def test_a_colour_that_cannot_be_shared_is_refused(game: str, colour: int) -> None:
    with pytest.raises(NotationError, match="colour"):
        GAMES[game].sharing(colour)


def test_every_edition_names_colours_that_have_a_letter_each() -> None:
    for names in EDITIONS.values():
        assert len({LETTERS[name] for name in names}) == len(names)


def test_an_edition_goes_without_saying_where_there_is_only_one() -> None:
    assert named_edition("auto", GAMES["duo-4"]) == EDITIONS["blue-yellow-red-green"]
    assert named_edition("auto", GAMES["duo"]) is None
    assert named_edition("auto", None) is None
    assert named_edition("red-yellow", GAMES["duo"]) == ("red", "yellow")
