"""Certificates of a hall: who trusts them, and how long they stay."""

import ssl
import stat
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography import x509

from firmware.errors import UnreadableError
from firmware.hall.certificates import Certificates, certificates

NAMES = ("localhost", "hall.local", "127.0.0.1", "192.168.7.9")


def trusts(client: ssl.SSLContext, made: Certificates, name: str) -> bool:
    """Returns True if a client trusts a server with the certificates by that name."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made.chain, made.key)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ours = client.wrap_bio(to_client, to_server, server_hostname=name)
    theirs = context.wrap_bio(to_server, to_client, server_side=True)
    for _ in range(8):
        try:
            ours.do_handshake()
        except ssl.SSLWantReadError:
            with suppress(ssl.SSLWantReadError):
                theirs.do_handshake()
        except ssl.SSLCertVerificationError:
            return False
        else:
            return True
    raise AssertionError("the handshake does not end")


def knowing(made: Certificates) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(made.authority))


@pytest.mark.parametrize("name", NAMES)
def test_who_knows_the_authority_trusts_every_name_and_address(tmp_path: Path, name: str) -> None:
    made = certificates(tmp_path, NAMES)
    assert trusts(knowing(made), made, name)


def test_another_name_and_another_hall_are_not_trusted(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    ours, theirs = certificates(tmp_path / "a", NAMES), certificates(tmp_path / "b", NAMES)
    assert not trusts(knowing(ours), ours, "example.org")
    assert not trusts(knowing(ours), theirs, "localhost")


def test_they_are_valid_from_2020_for_thirty_years(tmp_path: Path) -> None:
    made = certificates(tmp_path, NAMES)
    for one in x509.load_pem_x509_certificates(made.chain.read_bytes()):
        assert one.not_valid_before_utc == datetime(2020, 1, 1, tzinfo=UTC)
        assert one.not_valid_after_utc == datetime(2050, 1, 1, tzinfo=UTC)


def test_the_broker_sends_the_authority_of_the_fingerprint(tmp_path: Path) -> None:
    made = certificates(tmp_path, NAMES)
    sent = ssl.PEM_cert_to_DER_cert(
        made.chain.read_text().split("-----END CERTIFICATE-----\n")[1]
        + "-----END CERTIFICATE-----\n"
    )
    assert sha256(sent).hexdigest() == made.fingerprint


def test_keys_are_for_their_owner_alone(tmp_path: Path) -> None:
    made = certificates(tmp_path, NAMES)
    for key in (made.key, tmp_path / "authority.key"):
        assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_a_second_start_uses_the_same(tmp_path: Path) -> None:
    certificates(tmp_path, NAMES)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    certificates(tmp_path, NAMES[:2])
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_new_address_changes_the_server_but_not_the_authority(tmp_path: Path) -> None:
    before = certificates(tmp_path, NAMES)
    known = knowing(before)
    after = certificates(tmp_path, (*NAMES, "10.1.2.3"))
    assert after.fingerprint == before.fingerprint
    assert trusts(known, after, "10.1.2.3")


def test_a_certificate_of_another_authority_is_replaced(tmp_path: Path) -> None:
    certificates(tmp_path, NAMES)
    for name in ("authority.pem", "authority.key"):
        (tmp_path / name).unlink()
    made = certificates(tmp_path, NAMES)
    assert trusts(knowing(made), made, "localhost")


def test_a_damaged_file_is_one_sentence_with_a_remedy(tmp_path: Path) -> None:
    made = certificates(tmp_path, NAMES)
    made.authority.write_text("-----BEGIN CERTIFICATE-----\nAAAA")
    with pytest.raises(UnreadableError, match=r"authority\.pem is damaged; restore it"):
        certificates(tmp_path, NAMES)


def test_a_folder_that_takes_no_files_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="cannot keep the certificates in"):
        certificates(tmp_path / "missing", NAMES)
