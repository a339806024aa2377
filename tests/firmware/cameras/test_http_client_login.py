"""Challenges: the examples of the RFCs, and the choice among several."""

from unittest.mock import patch

import pytest

from firmware.cameras.http_client import best_challenge
from firmware.cameras.network_address import Login

MUFASA = Login("Mufasa", "Circle of Life")
CNONCE = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
NONCE = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
RESPONSES = {
    "MD5": "8ca523f5e9506fed4657c9700eebdbec",
    "SHA-256": "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1",
}


@pytest.mark.parametrize("algorithm", RESPONSES)
def test_digest_answers_as_in_the_example_of_its_rfc(algorithm: str) -> None:
    asked = (
        f'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm={algorithm}, '
        f'nonce="{NONCE}", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"'
    )
    challenge = best_challenge([asked])
    assert challenge is not None
    with patch("secrets.token_hex", return_value=CNONCE):
        header = challenge.header(MUFASA, "/dir/index.html")
    assert f'response="{RESPONSES[algorithm]}"' in header
    assert 'opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"' in header
    assert "nc=00000001" in header
    assert "nc=00000002" in challenge.header(MUFASA, "/")


def test_basic_answers_as_in_the_example_of_its_rfc() -> None:
    challenge = best_challenge(['Basic realm="WallyWorld"'])
    assert challenge is not None
    header = challenge.header(Login("Aladdin", "open sesame"), "/")
    assert header == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="


@pytest.mark.parametrize(
    ("headers", "scheme", "algorithm"),
    [
        (['Basic realm="a, Digest b"', 'Digest realm="c", nonce=d'], "digest", None),
        (['Basic realm="a", Digest realm="c", nonce="d", algorithm=MD5'], "digest", "MD5"),
        (
            ["Digest nonce=a, algorithm=MD5", "DIGEST nonce=b, algorithm=sha-256"],
            "digest",
            "sha-256",
        ),
        (['Digest nonce=a, qop="auth-int"', "Basic realm=x"], "basic", None),
        (["Digest nonce=a, algorithm=SHA-512-256", "basic"], "basic", None),
    ],
)
def test_the_safest_challenge_is_answered(
    headers: list[str], scheme: str, algorithm: str | None
) -> None:
    found = best_challenge(headers)
    assert found is not None
    assert (found.scheme, found.parameters.get("algorithm")) == (scheme, algorithm)


@pytest.mark.parametrize("headers", [[], [""], ["Bearer"], ['Negotiate abc=, NTLM realm="x"']])
def test_other_challenges_have_no_answer(headers: list[str]) -> None:
    assert best_challenge(headers) is None


def test_quotes_in_a_realm_and_a_user_are_escaped() -> None:
    challenge = best_challenge([r'Digest realm="a \"b\" \\ c", nonce="d", qop="auth"'])
    assert challenge is not None
    assert challenge.parameters["realm"] == r'a "b" \ c'
    header = challenge.header(Login('m"e', "word"), "/")
    assert r'username="m\"e", realm="a \"b\" \\ c"' in header
