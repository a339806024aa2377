"""The set-up in steps: each is a page of its own that says what to do and whether it is done."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from firmware.codes import CameraFault
from tests.support import example_pages
from tests.web.views.test_arbiter import PHONE, PairingTable
from vision.errors import BoardFailure
from vision.setup.rating import Rating
from web.app import create_app
from web.contract import (
    ArbiterPage,
    FindingEntry,
    LensEntry,
    LightTestEntry,
    MeasurementCode,
    Page,
    PictureAudience,
    ProbeEntry,
    RefereeState,
    RefereeStatus,
    SetupEntry,
)
from web.i18n.languages import LANGUAGES, wording_of
from web.i18n.texts import section_of
from web.known_phones import PAIRING_COOKIE
from web.presentation.setup_view import STEPS as ORDER
from web.presentation.setup_view import setup_of
from web.table_client import ConnectionLost

CORNERS = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
READY = SetupEntry(camera=True, board=True, checked=True, corners=CORNERS)
DONE = MeasurementCode.DONE
FOUND = replace(READY, lens=LensEntry(DONE, 8, 8))


@pytest.fixture
def table() -> Iterator[PairingTable]:
    table = PairingTable(Path("/nowhere"))
    table.know(PHONE)
    table.hear(page_with(SetupEntry()))
    yield table
    table.close()


@pytest.fixture
def client(table: PairingTable) -> FlaskClient:
    client = create_app(table, streams=1).test_client()
    client.set_cookie(PAIRING_COOKIE, PHONE)
    return client


def page_with(setup: SetupEntry) -> Page:
    private = ArbiterPage(None, setup)
    return replace(example_pages.empty(), private=private, pictures=PictureAudience.PAIRED)


def states(setup: SetupEntry, page: Page | None = None) -> dict[str, str]:
    """Returns the sentence on each step that is not done, and "" for one that is."""
    page = page or page_with(setup)
    view = setup_of(page, wording_of("en"))
    assert view is not None
    return {step.code: "" if step.done else step.status for step in view.steps}


@pytest.mark.parametrize(
    ("setup", "step"),
    [
        (SetupEntry(), "picture"),
        (SetupEntry(camera=True), "board"),
        (SetupEntry(camera=True, board=True), "check"),
        (READY, "lens"),
        (FOUND, "game"),
        (replace(FOUND, lights=ProbeEntry()), "lights"),
        (replace(FOUND, lights=ProbeEntry(DONE)), "game"),
        (replace(FOUND, lights=ProbeEntry(DONE, settings="[lights]")), "lights"),
    ],
)
def test_the_set_up_goes_on_at_the_first_step_that_is_not_done(
    client: FlaskClient, table: PairingTable, setup: SetupEntry, step: str
) -> None:
    table.hear(page_with(setup))
    answer = client.get("/arbiter/setup")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/arbiter/setup/{step}")


@pytest.mark.parametrize("code", ORDER)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_step_says_in_one_sentence_what_to_do(
    client: FlaskClient, table: PairingTable, code: str, language: str
) -> None:
    table.hear(page_with(replace(FOUND, lights=ProbeEntry())))
    client.set_cookie("language", language)
    text = client.get(f"/arbiter/setup/{code}").text
    assert wording_of(language).say(f"tasks.{code}") in text
    assert 'aria-current="step"' in text
    assert f'data-step="{code}"' in text


def test_a_step_without_lights_is_left_out(client: FlaskClient, table: PairingTable) -> None:
    table.hear(page_with(FOUND))
    assert "/arbiter/setup/lights" not in client.get("/arbiter/setup/lens").text
    assert client.get("/arbiter/setup/lights").status_code == 200  # it was there a moment ago
    assert client.get("/arbiter/setup/no-such-step").status_code == 404


@pytest.mark.parametrize("path", ["/arbiter/setup", "/arbiter/setup/board"])
def test_a_phone_that_is_not_known_is_asked_to_pair_or_to_wait(
    client: FlaskClient, table: PairingTable, path: str
) -> None:
    table.hear(ConnectionLost("it hung up"))
    assert client.get(path).status_code == 503
    table.know(PHONE)
    client.delete_cookie(PAIRING_COOKIE)
    text = client.get(path).text
    assert 'name="number"' in text
    assert "corners" not in text


def test_each_state_has_a_sentence_of_its_own() -> None:
    mend = FindingEntry("focus", Rating.MEND, "blurred", "Focus.")
    assert states(SetupEntry())["picture"] == section_of("step-states")["picture-open"]
    assert states(SetupEntry())["board"] == section_of("step-states")["board-open"]
    assert states(SetupEntry())["check"] == section_of("step-states")["check-open"]
    assert (
        states(replace(READY, checked=False, points=(mend,)))["check"]
        == (section_of("step-states")["check-mend"])
    )
    running = LensEntry(MeasurementCode.RUNNING, 3, 8)
    assert "3 of 8" in states(replace(READY, lens=running))["lens"]
    failed = LensEntry(MeasurementCode.FAILED)
    assert states(replace(READY, lens=failed))["lens"] == section_of("step-states")["lens-failed"]
    for state in (MeasurementCode.NONE, MeasurementCode.RUNNING, MeasurementCode.FAILED):
        assert states(replace(READY, lights=ProbeEntry(state, 7)))["lights"]
    assert (
        "7 lights"
        in states(replace(READY, lights=ProbeEntry(MeasurementCode.RUNNING, 7)))["lights"]
    )


@pytest.mark.parametrize("state", MeasurementCode)
def test_a_panel_beside_the_board_has_sentences_of_its_own(state: MeasurementCode) -> None:
    for panel, key in (
        (ProbeEntry(state, 7, beside=True), f"panel-{state}"),
        (ProbeEntry(DONE, 7, beside=True, lights_board=True), "panel-lights"),
    ):
        view = setup_of(page_with(replace(READY, lights=panel)), wording_of("en"))
        assert view is not None
        assert section_of("step-states")[key] in [step.status for step in view.steps]


def test_the_step_of_a_panel_says_what_is_looked_for(
    client: FlaskClient, table: PairingTable
) -> None:
    table.hear(page_with(replace(FOUND, lights=ProbeEntry(beside=True))))
    text = client.get("/arbiter/setup/lights").text
    assert "the panel is lit and dark in turn" in text
    assert "Light the panel" in text
    assert 'name="back" value="/arbiter/setup/lights"' in text


def done_steps(setup: SetupEntry) -> set[str]:
    view = setup_of(page_with(setup), wording_of("en"))
    assert view is not None
    return {step.code for step in view.steps if step.done}


def test_a_person_looks_at_the_lights_and_hears_what_to_change(
    client: FlaskClient, table: PairingTable
) -> None:
    shown = LightTestEntry(MeasurementCode.RUNNING, "first LED", 4, 9, ("W..", "..."))
    lit = replace(READY, lights=ProbeEntry(), light_test=shown)
    table.hear(page_with(lit))
    text = client.get("/arbiter/setup/lights").text
    assert 'data-running="test"' in text
    assert "picture 4 of 9" in text
    assert "One light is white" in text
    assert (text.count("<circle"), text.count('class="led-W"')) == (6, 1)
    wrong = LightTestEntry(MeasurementCode.FAILED, "", 6, 9, (), "second line", "false")
    table.hear(page_with(replace(lit, light_test=wrong)))
    text = client.get("/arbiter/setup/lights").text
    assert "Set lights.serpentine = false." in text
    assert "<circle" not in text
    assert "lights" not in done_steps(replace(lit, light_test=wrong))
    done = replace(lit, light_test=LightTestEntry(MeasurementCode.DONE, "", 9, 9))
    assert "lights" in done_steps(done)


def test_the_table_says_why_there_is_no_picture_and_no_board() -> None:
    away = RefereeStatus(RefereeState.CAMERA_AWAY, fault=CameraFault.PASSWORD)
    page = replace(page_with(SetupEntry()), state=away)
    assert "another user or password" in states(SetupEntry(), page)["picture"]
    sought = replace(page, state=RefereeStatus(RefereeState.BOARD_LOST))
    assert states(SetupEntry(camera=True), sought)["board"] == "Looking for the board."
    lost = replace(page, state=RefereeStatus(RefereeState.BOARD_LOST, failure=BoardFailure.COVERED))
    assert "cannot be seen" in states(SetupEntry(camera=True), lost)["board"]


def test_corners_that_were_dropped_and_a_disk_that_refuses_are_said(
    client: FlaskClient, table: PairingTable
) -> None:
    table.hear(page_with(replace(READY, dropped=True, stored=False)))
    text = client.get("/arbiter/setup/board").text
    assert "those corners were dropped" in text
    assert "cannot store the set-up" in text
    assert 'data-corners="0.10000,0.10000,0.90000' in text


def test_settings_for_the_lights_are_shown_as_text(
    client: FlaskClient, table: PairingTable
) -> None:
    probe = ProbeEntry(DONE, 9, settings='[lights]\nfirst = "<b>"')
    table.hear(page_with(replace(FOUND, lights=probe)))
    text = client.get("/arbiter/setup/lights").text
    assert "first = &#34;&lt;b&gt;&#34;" in text
    assert "write these lines there" in text


def test_every_step_is_named_in_every_language() -> None:
    assert set(section_of("tasks")) == {*ORDER, "panel"}
    for language in LANGUAGES:
        names = section_of("steps", language)
        assert set(names) == set(ORDER)
        assert len(set(names.values())) == len(ORDER)
