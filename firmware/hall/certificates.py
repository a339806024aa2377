"""The hall's own certificate authority, and the certificate of its broker.

A table knows the authority by its fingerprint, from the invitation, and asks nobody else. So the
broker sends the authority's certificate together with its own. Certificates are valid from 2020,
for 30 years: a table's clock may be wrong, and nobody renews anything.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key

from firmware.errors import UnreadableError, read_file
from firmware.storage.atomic_file import PRIVATE, write_whole
from firmware.storage.certificate import covers, private_pem, signed

_VALID: Final = datetime(2020, 1, 1, tzinfo=UTC), datetime(2050, 1, 1, tzinfo=UTC)
"""Begin and end of the time for which the certificates are valid."""

_Content = TypeVar("_Content")


@dataclass(frozen=True, slots=True)
class Certificates:
    """Files of a hall's certificates.

    Attributes:
        authority: certificate of the authority, PEM.
        chain: certificate of the broker, then that of the authority, PEM.
        key: private key of the broker, PEM.
        fingerprint: SHA-256 of the authority's certificate in DER, 64 hexadecimal digits.
    """

    authority: Path
    chain: Path
    key: Path
    fingerprint: str


def certificates(folder: Path, names: Iterable[str]) -> Certificates:
    """Returns the certificates of a hall, which are made where they are missing.

    The authority stays as long as its files are there. The broker's certificate is made anew when
    it lacks one of the names, as after the machine got another address.

    Args:
        folder: folder of the hall.
        names: names and addresses by which tables reach the broker.

    Raises:
        UnreadableError: the files cannot be read or written, or are damaged.
    """
    authority, authority_key = folder / "authority.pem", folder / "authority.key"
    chain, key = folder / "broker.pem", folder / "broker.key"
    wanted = tuple(dict.fromkeys(names))
    try:
        if not (authority.exists() and authority_key.exists()):
            _make_authority(authority, authority_key)
        signer = _read(authority, x509.load_pem_x509_certificate)
        if not (key.exists() and chain.exists() and _covers(chain, signer, wanted)):
            _make_server(signer, _read_key(authority_key), wanted, chain, key)
    except OSError as error:
        why = error.strerror or str(error)
        raise UnreadableError(f"cannot keep the certificates in {folder}: {why}") from error
    return Certificates(authority, chain, key, signer.fingerprint(SHA256()).hex())


def _make_authority(certificate: Path, key_file: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    made = signed("Cornerlight hall", key.public_key(), key, _VALID)
    # The key goes first: a certificate without its key is useless.
    write_whole(key_file, private_pem(key), PRIVATE)
    write_whole(certificate, made.public_bytes(Encoding.PEM))


def _make_server(
    authority: x509.Certificate,
    authority_key: ec.EllipticCurvePrivateKey,
    names: Sequence[str],
    chain: Path,
    key_file: Path,
) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    made = signed(
        "Cornerlight broker",
        key.public_key(),
        authority_key,
        _VALID,
        authority=authority,
        names=names,
    )
    write_whole(key_file, private_pem(key), PRIVATE)
    pem = (one.public_bytes(Encoding.PEM) for one in (made, authority))
    write_whole(chain, b"".join(pem))


def _covers(chain: Path, authority: x509.Certificate, names: Sequence[str]) -> bool:
    """True if the broker's certificate is the authority's, and has all names."""
    found = _read(chain, x509.load_pem_x509_certificate)
    try:
        found.verify_directly_issued_by(authority)
    except Exception:  # noqa: BLE001 - the library names several; each says that it is not
        return False
    return covers(found, names)


def _read(path: Path, parse: Callable[[bytes], _Content]) -> _Content:
    """Returns the content of a file.

    Raises:
        UnreadableError: it is damaged, or cannot be read.
    """
    content = read_file(path)
    try:
        return parse(content)
    except ValueError as error:
        raise UnreadableError(
            f"{path} is damaged; restore it, or remove the files *.pem and *.key beside it and "
            "join all tables anew"
        ) from error


def _read_key(path: Path) -> ec.EllipticCurvePrivateKey:
    key = _read(path, lambda content: load_pem_private_key(content, None))
    assert isinstance(key, ec.EllipticCurvePrivateKey), "the authority has such a key"
    return key
