"""Addresses: their parts, names without passwords, and what cannot be used."""

from pathlib import Path

import pytest

from firmware.cameras.interfaces import CameraError
from firmware.cameras.network_address import Login, NetworkAddress, parse_address, with_scheme
from firmware.codes import CameraFault

LOGIN = Login("me", "word")


def parsed(url: str) -> NetworkAddress:
    found = parse_address(url)
    assert isinstance(found, NetworkAddress)
    return found


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://cam/video", "http://cam/video"),
        ("http://cam", "http://cam/"),
        ("HTTPS://Cam:443/a", "https://cam/a"),
        ("https://cam:80/a", "https://cam:80/a"),
        ("http://me:word@10.0.0.2:8080/video", "http://10.0.0.2:8080/video"),
        ("http://me@cam/", "http://cam/"),
        (" http://:word@[fe80::1]:81/a b\n", "http://[fe80::1]:81/a%20b"),
        ("http://cam/shot?user=me&pwd=word", "http://cam/shot?..."),
        ("http://cam/video#word", "http://cam/video"),
        ("http://bücher.local/", "http://xn--bcher-kva.local/"),
    ],
)
def test_a_name_is_the_address_without_user_and_password(url: str, name: str) -> None:
    assert parsed(url).name == name


@pytest.mark.parametrize(
    "source",
    [
        "192.168.1.20",
        "192.168.1.20/shot.jpg",
        "192.168.1.20:8080/video",
        "[fe80::1]/video",
        "cam:8080",
        "localhost/video",
        "phone.local/video?a=b",
        "me:word@cam/video",
    ],
)
def test_an_address_without_its_scheme_is_one_of_http(source: str) -> None:
    assert with_scheme(source) == f"http://{source}"


@pytest.mark.parametrize(
    "source",
    [
        *("0", "auto", "phone", "picamera2", "/dev/video0", "rtsp://cam:554/", "http://cam:80/"),
        *("evening", "evening.mp4", "evenings/1", "../evening.1/2", "C:\\evening", "http:/cam"),
    ],
)
def test_what_is_no_address_stays_as_it_is(source: str) -> None:
    assert with_scheme(source) == source


def test_a_folder_comes_before_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "192.168.1.20").mkdir()
    assert with_scheme("192.168.1.20") == "192.168.1.20"


def test_the_query_is_sent_although_it_is_not_in_the_name() -> None:
    assert parsed("http://cam/a%20b?c=d e&f=%26").target == "/a%20b?c=d%20e&f=%26"


def test_signs_in_a_password_are_written_by_their_codes() -> None:
    login = Login("m/e", "p@s:s#w?d")
    assert parsed("http://m%2Fe:p%40s:s%23w%3Fd@cam/").login == login
    assert parsed("http://m%2Fe:p@s:s%23w%3Fd@cam/").login == login


@pytest.mark.parametrize(
    "url",
    [
        "",
        "cam",
        "rtsp://me:word@cam/",
        "http://",
        "http://me:word@",
        "http://me:word@cam:port/",
        "http://me:word@cam:99999/",
        "http://me:wo/rd@cam/",
        "http://me:wo#rd@cam/",
        "http://me:12?word@cam/",
        "http://me:w[ord@cam/",
        "http://me%0d%0aX: word:word@cam/",
        "http://me:word@a..b/",
        "http://me:word@a\0b/",
        "http://me:word@a b/",
    ],
)
def test_what_is_no_address_is_an_error_without_the_password(url: str) -> None:
    found = parse_address(url)
    assert isinstance(found, CameraError)
    assert found.code is CameraFault.UNREACHABLE
    assert "write" in str(found)
    for secret in ("word", "wo/", "wo#", "12", "w["):
        assert secret not in str(found).replace("password", "").replace("192", "")


@pytest.mark.parametrize(
    ("start", "location", "target", "login"),
    [
        ("http://me:word@cam/a/b", "c", "http://cam/a/c", LOGIN),
        ("http://me:word@cam/a/b", "/c?d", "http://cam/c?...", LOGIN),
        ("http://me:word@cam/a", "https://cam/", "https://cam/", LOGIN),
        ("http://me:word@cam/a", "http://cam:81/", "http://cam:81/", LOGIN),
        ("https://me:word@cam/a", "http://cam/", "http://cam/", None),
        ("http://me:word@cam/a", "http://other/", "http://other/", None),
        ("http://me:word@cam/a", "//other/", "http://other/", None),
    ],
)
def test_a_login_goes_along_to_the_same_host_only(
    start: str, location: str, target: str, login: Login | None
) -> None:
    found = parsed(start).redirected(location)
    assert isinstance(found, NetworkAddress)
    assert found.name == target
    assert found.login == login


@pytest.mark.parametrize("location", ["http://[x", "rtsp://cam/", "http://cam:port/"])
def test_a_redirection_to_no_address_is_an_error(location: str) -> None:
    assert isinstance(parsed("http://cam/").redirected(location), CameraError)


def test_nothing_shows_a_password() -> None:
    address = parsed("http://someone:word@cam/?pwd=word")
    assert "word" not in f"{address!r} {address} {address.login!r}".replace("password", "")
    assert "someone" not in repr(address)
