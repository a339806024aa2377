"""Sentences with drawings: the piece as it lies, one square, and names that are no markup."""

import re
from dataclasses import replace

from markupsafe import Markup, escape

from tests.support import example_pages
from web.contract import Page, RefereeState, RefereeStatus
from web.i18n.languages import LANGUAGES
from web.i18n.wording import Wording
from web.presentation.drawn_wording import DrawnWording, PieceDrawing
from web.presentation.view_model import view_of

DRAWN = DrawnWording()


def accepted() -> Page:
    page = example_pages.classic_middle()
    return replace(page, state=RefereeStatus(RefereeState.ACCEPTED))


def test_an_accepted_move_shows_its_piece_as_it_lies_and_its_first_square() -> None:
    page = accepted()
    move = page.moves[-1]
    sentence = DRAWN.state(page)
    assert isinstance(sentence, Markup)
    drawing = PieceDrawing.of(move.piece, move.squares)
    ink = page.colours[move.colour].ink
    assert f'<path d="{drawing.path}" fill="{ink}"' in sentence
    letters = Wording().state(page)
    rest = ", ".join(map(page.square_name, move.squares[1:]))
    assert rest
    assert sentence.striptags() == letters.replace(f", {rest}", "")


def test_names_of_people_are_no_markup_beside_a_drawing() -> None:
    page = accepted()
    colours = tuple(replace(one, player="<b>&Co") for one in page.colours)
    sentence = DRAWN.state(replace(page, colours=colours))
    assert "&lt;b&gt;&amp;Co" in sentence
    assert "<b>" not in sentence


def test_a_sentence_without_a_piece_stays_plain_text() -> None:
    page = example_pages.duo_refused()
    assert not isinstance(DRAWN.state(page), Markup)
    assert DRAWN.state(page) == Wording().state(page)


def test_screen_readers_hear_the_letter_and_every_square() -> None:
    for language in LANGUAGES:
        page = accepted()
        announcement = view_of(page, Wording(language)).announcement
        assert not isinstance(announcement, Markup)
        for square in page.moves[-1].squares:
            assert page.square_name(square) in announcement


def test_a_drawing_is_titled_with_the_name_of_its_piece() -> None:
    page = example_pages.duo_to_lift()
    sentence = escape(view_of(page, Wording()).sentence)
    assert re.findall("<title>(.+?)</title>", sentence) == [page.to_lift[0].piece]
