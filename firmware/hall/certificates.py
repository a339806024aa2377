"""The hall's own certificate authority, and the certificate of its broker.

A table knows the authority by its fingerprint, from the invitation, and asks nobody else. So the
broker sends the authority's certificate together with its own. Certificates are valid from 2020,
for 30 years: a table's clock may be wrong, and nobody renews anything.
"""

import ipaddress
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from firmware.errors import UnreadableError, read_file
from firmware.storage.atomic_file import PRIVATE, write_whole

_BEGINS: Final = datetime(2020, 1, 1, tzinfo=UTC)
"""First moment at which the certificates are valid."""

_ENDS: Final = datetime(2050, 1, 1, tzinfo=UTC)
"""Moment at which the certificates expire."""

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
    name = _name("Cornerlight hall")
    signed = (
        _begun(name, name, key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, SHA256())
    )
    # The key goes first: a certificate without its key is useless.
    write_whole(key_file, _key_pem(key), PRIVATE)
    write_whole(certificate, signed.public_bytes(Encoding.PEM))


def _make_server(
    authority: x509.Certificate,
    authority_key: ec.EllipticCurvePrivateKey,
    names: Sequence[str],
    chain: Path,
    key_file: Path,
) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    signed = (
        _begun(authority.subject, _name("Cornerlight broker"), key.public_key())
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(
            x509.SubjectAlternativeName([_general(one) for one in names]), critical=False
        )
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()),
            critical=False,
        )
        .sign(authority_key, SHA256())
    )
    write_whole(key_file, _key_pem(key), PRIVATE)
    pem = (one.public_bytes(Encoding.PEM) for one in (signed, authority))
    write_whole(chain, b"".join(pem))


def _begun(
    issuer: x509.Name, subject: x509.Name, key: ec.EllipticCurvePublicKey
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .issuer_name(issuer)
        .subject_name(subject)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(_BEGINS)
        .not_valid_after(_ENDS)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _covers(chain: Path, authority: x509.Certificate, names: Sequence[str]) -> bool:
    """True if the broker's certificate is the authority's, and has all names."""
    signed = _read(chain, x509.load_pem_x509_certificate)
    try:
        signed.verify_directly_issued_by(authority)
    except Exception:  # noqa: BLE001 - the library names several; each says that it is not
        return False
    found = signed.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return set(map(_general, names)) <= set(found)


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


def _key_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
