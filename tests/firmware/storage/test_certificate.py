"""The page's certificate: what it is for, how long it stays, and its key."""

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from firmware.errors import UnreadableError
from firmware.storage import certificate as module
from firmware.storage.certificate import page_certificate

NAMES = ("192.168.1.20", "table.local", "localhost")


def read(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def test_it_is_one_of_a_server_with_all_names_for_less_than_398_days(tmp_path: Path) -> None:
    path = page_certificate(tmp_path, NAMES)
    found = read(path)
    names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert [str(one) for one in names.get_values_for_type(x509.IPAddress)] == ["192.168.1.20"]
    assert names.get_values_for_type(x509.DNSName) == ["table.local", "localhost"]
    purpose = found.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(purpose) == [ExtendedKeyUsageOID.SERVER_AUTH]
    assert found.not_valid_after_utc - found.not_valid_before_utc < timedelta(days=398)
    assert found.not_valid_before_utc < datetime.now(UTC)
    assert path.stat().st_mode & 0o777 == 0o600
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(path)


def test_it_stays_until_a_name_is_missing(tmp_path: Path) -> None:
    first = page_certificate(tmp_path, NAMES).read_bytes()
    assert page_certificate(tmp_path, NAMES[:2]).read_bytes() == first
    assert page_certificate(tmp_path, (*NAMES, "10.0.0.7")).read_bytes() != first


def test_it_is_made_anew_before_it_ends_and_where_the_clock_was_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for away in (timedelta(days=370), timedelta(days=-500)):
        with monkeypatch.context() as patched:
            patched.setattr(module, "datetime", _Elsewhen(away))
            old = page_certificate(tmp_path, NAMES).read_bytes()
        assert page_certificate(tmp_path, NAMES).read_bytes() != old


class _Elsewhen:
    """A clock that is wrong."""

    def __init__(self, away: timedelta) -> None:
        self._away = away

    def now(self, zone: object) -> datetime:
        return datetime.now(UTC) - self._away


def test_a_clock_that_is_behind_makes_no_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = page_certificate(tmp_path, NAMES).read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(module, "datetime", _Elsewhen(timedelta(days=300)))
        assert page_certificate(tmp_path, NAMES).read_bytes() == first


def test_a_name_that_no_certificate_takes_is_left_out(tmp_path: Path) -> None:
    path = page_certificate(tmp_path, ("küche.local", "fe80::1%eth0", "localhost"))
    names = read(path).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["localhost"]
    assert [str(one) for one in names.get_values_for_type(x509.IPAddress)] == ["fe80::1"]


def test_one_whose_key_is_another_is_made_anew(tmp_path: Path) -> None:
    path, other = page_certificate(tmp_path, NAMES), tmp_path / "other"
    other.mkdir()
    key = page_certificate(other, NAMES).read_text().partition("-----BEGIN CERTIFICATE")[0]
    path.write_text(key + path.read_text()[len(key) :])
    damaged = path.read_bytes()
    assert page_certificate(tmp_path, NAMES).read_bytes() != damaged
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(path)


def test_a_damaged_one_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "tls.pem").write_text("-----BEGIN CERTIFICATE-----\nAAAA\n")
    assert read(page_certificate(tmp_path, NAMES)).version is x509.Version.v3


def test_a_folder_that_takes_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=r"cannot keep the page's certificate in .*nowhere"):
        page_certificate(tmp_path / "nowhere" / "x", NAMES)
