"""The picture of a doubt is of the moment in which the table became unsure."""

from dataclasses import replace

import pytest

from tests.support import example_pages
from web.contract import (
    ArbiterPage,
    LivePicture,
    Page,
    RefereeState,
    RefereeStatus,
    SetupEntry,
)
from web.doubt_picture import DoubtPicture, doubt_picture

CORNERS = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
UNSURE = replace(
    example_pages.duo_unsure(), private=ArbiterPage(setup=SetupEntry(corners=CORNERS, turned=90))
)
HAND = replace(UNSURE, state=RefereeStatus(RefereeState.HAND))


def picture(number: int) -> LivePicture:
    return LivePicture(b"\xff\xd8\xff\xe0 %d" % number)


def after(*messages: Page | LivePicture) -> DoubtPicture | None:
    """Returns the picture of the doubt after messages of the table, in their order."""
    doubt, page, newest, serial = None, None, None, 0
    for message in messages:
        if isinstance(message, Page):
            page = message
        else:
            newest, serial = message, serial + 1
        is_new = isinstance(message, LivePicture)
        doubt = doubt_picture(doubt, page, newest, serial, is_new=is_new)
    return doubt


def shown(*messages: Page | LivePicture) -> LivePicture | None:
    doubt = after(*messages)
    return None if doubt is None else doubt.picture


def test_the_picture_that_follows_the_doubt_belongs_to_it() -> None:
    assert shown(picture(1), UNSURE, picture(2)) == picture(2)
    assert shown(picture(1), UNSURE, picture(2), picture(3)) == picture(2)
    doubt = after(UNSURE, picture(1))
    assert doubt is not None
    assert (doubt.corners, doubt.turned, doubt.serial) == (CORNERS, 90, 1)


def test_until_it_comes_the_picture_before_the_doubt_is_shown() -> None:
    assert shown(picture(1), UNSURE) == picture(1)
    assert shown(UNSURE) is None


def test_a_picture_with_a_hand_in_it_never_takes_its_place() -> None:
    assert shown(picture(1), UNSURE, HAND, picture(2)) == picture(1)
    assert shown(picture(1), UNSURE, HAND, picture(2), UNSURE, picture(3)) == picture(3)
    assert shown(picture(1), UNSURE, picture(2), HAND, picture(3), UNSURE) == picture(2)


def test_another_doubt_has_a_picture_of_its_own_and_none_has_none() -> None:
    other = replace(UNSURE, candidates=UNSURE.candidates[:1])
    assert shown(UNSURE, picture(1), other, picture(2)) == picture(2)
    assert after(UNSURE, picture(1), example_pages.empty()) is None
    surer = tuple(replace(one, confidence=0.5) for one in UNSURE.candidates)
    assert shown(UNSURE, picture(1), replace(UNSURE, candidates=surer), picture(2)) == picture(1)


@pytest.mark.parametrize("private", [None, ArbiterPage()])
def test_a_table_that_does_not_know_its_corners_names_none(private: ArbiterPage | None) -> None:
    doubt = after(replace(UNSURE, private=private), picture(1))
    assert doubt is not None
    assert (doubt.corners, doubt.turned) == ((), 0)
