"""Steps of a past game: their kinds, numbers and sentences."""

from dataclasses import replace

from tests.support import example_pages
from web.contract import Page
from web.i18n.wording import Wording
from web.presentation.replay_view import StepKind, replay_of

ENGLISH = Wording()


def after(plies: int) -> Page:
    return example_pages.page_of(example_pages.played("duo", plies))


def without_names(page: Page) -> Page:
    return replace(page, colours=tuple(replace(colour, player="") for colour in page.colours))


def test_a_position_that_was_set_is_a_step_without_a_move() -> None:
    standing = replace(after(6), moves=())
    view = replay_of((after(0), standing, standing), 1, ENGLISH)
    assert [step.kind for step in view.steps] == [StepKind.BEGIN, StepKind.POSITION, StepKind.END]
    assert view.now.sentence == "The position was set by the arbiter."
    assert [step.at for step in view.listed] == [1]
    assert view.steps[-1].sentence == "Unfinished."


def test_a_game_that_begins_in_the_middle_has_its_first_move_in_the_list() -> None:
    view = replay_of((after(3), after(4)), 0, ENGLISH)
    assert [step.ply for step in view.listed] == [3, 4]
    assert (view.count, view.last) == (4, 1)


def test_a_game_without_names_is_headed_by_its_title() -> None:
    pages = tuple(without_names(after(plies)) for plies in (0, 1))
    view = replay_of(pages, 1, ENGLISH)
    assert view.heading == "Duo"
    assert view.now.sentence.startswith("Purple lays ")


def test_a_person_with_two_colours_is_named_once_and_a_shared_colour_not_at_all() -> None:
    two = example_pages.page_of(example_pages.played("classic-2", 0))
    assert replay_of((two,), 0, ENGLISH).heading == "Anna – Ben"
    three = example_pages.page_of(example_pages.played("classic-3", 0))
    assert replay_of((three,), 0, ENGLISH).heading == "Anna – Ben – Chie"


def test_a_refused_piece_is_listed_with_its_squares_and_without_a_number_of_its_own() -> None:
    refused = example_pages.duo_refused()
    view = replay_of((after(15), refused), 1, ENGLISH)
    wrong = refused.pieces[-1]
    assert view.now.kind is StepKind.REFUSED
    assert view.now.squares == " ".join(map(refused.square_name, wrong.squares))
    assert (view.now.ply, view.count) == (15, 15)
    assert view.now.who == "Ben (orange)"
