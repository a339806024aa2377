"""Invitations: addresses there and back, and what is none."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.hall.link.invitation import HallInvitation, InvitationError

INVITATION = HallInvitation(
    "192.168.1.5", 8883, "spring-open", "07", "q3Xn0-8sJd_72m", "a5" * 32, "Frühling & Café 碁"
)


@pytest.mark.parametrize("host", ["192.168.1.5", "hall.local", "fe80::1", "2001:db8::7"])
def test_an_invitation_is_the_same_after_its_address(host: str) -> None:
    one = replace(INVITATION, host=host)
    assert HallInvitation.parse(one.uri) == one
    assert HallInvitation.parse(f"  {one.uri}\n") == one
    assert one.uri.isascii()


@given(
    st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=8, max_size=100),
    st.text(st.characters(categories=["L", "N", "P", "Zs"]), max_size=20).filter(str.isprintable),
)
def test_every_secret_and_name_survives_the_address(secret: str, name: str) -> None:
    one = replace(INVITATION, secret=secret, name=name)
    assert HallInvitation.parse(one.uri) == one


def test_a_fingerprint_in_hexadecimal_digits_is_understood() -> None:
    uri = INVITATION.uri.replace(INVITATION.uri.split("ca=")[1].split("&")[0], "A5" * 32)
    assert HallInvitation.parse(uri) == INVITATION


def test_a_secret_is_not_in_the_text_of_an_error_or_a_log() -> None:
    assert INVITATION.secret not in repr(INVITATION)
    with pytest.raises(InvitationError) as caught:
        HallInvitation.parse(INVITATION.uri.replace("/07?", "/7777?"))
    assert INVITATION.secret not in str(caught.value)


GOOD = INVITATION.uri


@pytest.mark.parametrize(
    ("uri", "cause"),
    [
        ("", "begin with cornerlight"),
        ("http://hall.local/07", "begin with cornerlight"),
        ("cornerlight://", "hall and table"),
        ("cornerlight://host/hall/07", "port"),
        (GOOD.replace(":8883", ":70000"), "port"),
        (GOOD.replace(":8883", ":0"), "port"),
        (GOOD.replace(":8883", ":x"), "port"),
        (GOOD.replace("192.168.1.5", "[::1"), "host"),
        (GOOD.replace("192.168.1.5", ""), "host"),
        (GOOD.replace("192.168.1.5", "a b"), "host"),
        (GOOD.replace("/07", ""), "hall and table"),
        (GOOD.replace("/07", "/07/08"), "hall and table"),
        (GOOD.replace("/07", "/+"), "number"),
        (GOOD.replace("spring-open", "Spring%2Fopen"), "hall"),
        (GOOD.replace("secret=", "other="), "secret"),
        (GOOD.replace("ca=", "other="), "fingerprint"),
        (GOOD.replace("ca=", "ca=%00"), "fingerprint"),
        (GOOD.replace("ca=paWl", "ca=paW"), "fingerprint"),
        (GOOD + "%0a", "name"),
        (GOOD + "x" * 600, "too long"),
    ],
)
def test_what_is_no_invitation_names_its_cause(uri: str, cause: str) -> None:
    with pytest.raises(InvitationError, match=cause) as caught:
        HallInvitation.parse(uri)
    assert "organiser's page" in str(caught.value)


@given(st.text(max_size=80))
def test_any_text_is_an_invitation_or_one_error(text: str) -> None:
    for uri in (text, f"cornerlight://{text}"):
        with suppress(InvitationError):
            assert HallInvitation.parse(uri).uri
