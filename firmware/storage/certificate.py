"""Certificates of this program: signed by an authority of its own, or by themselves."""

import ipaddress
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

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

_LIVES: Final = timedelta(days=397)
"""Time for which a page's certificate is valid: browsers take none of 398 days or more."""

_RENEWED: Final = timedelta(days=30)
"""Time before its end at which it is made anew."""

_EARLIER: Final = timedelta(days=1)
"""Time for which it was valid when it is made, as clocks differ."""


def signed(
    subject: str,
    public_key: ec.EllipticCurvePublicKey,
    signer: ec.EllipticCurvePrivateKey,
    valid: tuple[datetime, datetime],
    *,
    authority: x509.Certificate | None = None,
    names: Iterable[str] = (),
) -> x509.Certificate:
    """Returns a certificate.

    Args:
        subject: name of its owner.
        public_key: key of its owner.
        signer: key that signs it.
        valid: begin and end of the time for which it is valid.
        authority: certificate of the signer; None if the owner signs it.
        names: names and addresses of a server; none for an authority.
    """
    wanted, name = tuple(names), _name(subject)
    builder = (
        x509.CertificateBuilder()
        .issuer_name(name if authority is None else authority.subject)
        .subject_name(name)
        .public_key(public_key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(valid[0])
        .not_valid_after(valid[1])
        .add_extension(
            x509.BasicConstraints(ca=not wanted, path_length=None if wanted else 0), critical=True
        )
        .add_extension(_usage(signs_certificates=not wanted), critical=True)
    )
    if wanted:
        server = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
        found = x509.SubjectAlternativeName([_general(one) for one in wanted])
        builder = builder.add_extension(server, critical=False).add_extension(found, critical=False)
    else:
        own = x509.SubjectKeyIdentifier.from_public_key(public_key)
        builder = builder.add_extension(own, critical=False)
    if authority is not None:
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key())
        builder = builder.add_extension(issuer, critical=False)
    return builder.sign(signer, SHA256())


def covers(certificate: x509.Certificate, names: Sequence[str]) -> bool:
    """True if a server's certificate has all names."""
    found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return set(map(_general, names)) <= set(found)


def private_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Returns a private key as PEM."""
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def page_certificate(folder: Path, names: Sequence[str]) -> Path:
    """Returns the file with key and certificate of the page, made where it is missing.

    It stays until it lacks a name, as after the machine got another address, or ends soon: with
    another one every browser warns anew.

    Args:
        folder: folder of the page.
        names: names and addresses by which phones reach the page; what is not ASCII is left out.

    Raises:
        UnreadableError: it cannot be read or written.
    """
    path, now = folder / "tls.pem", datetime.now(UTC)
    names = [one.partition("%")[0] for one in names if one.isascii()]
    try:
        if not (path.exists() and _lasts(path, names, now)):
            key = ec.generate_private_key(ec.SECP256R1())
            valid = now - _EARLIER, now - _EARLIER + _LIVES
            made = signed("Cornerlight", key.public_key(), key, valid, names=names)
            write_whole(path, private_pem(key) + made.public_bytes(Encoding.PEM), PRIVATE)
    except OSError as error:
        why = error.strerror or str(error)
        raise UnreadableError(f"cannot keep the page's certificate in {folder}: {why}") from error
    return path


def _lasts(path: Path, names: Sequence[str], now: datetime) -> bool:
    """True if a certificate has all names and is valid for some time; a damaged one is not."""
    try:
        content = read_file(path)
        found = x509.load_pem_x509_certificate(content)
        fits = load_pem_private_key(content, None).public_key() == found.public_key()
        has_names = covers(found, names)
    except (ValueError, TypeError, x509.ExtensionNotFound):
        return False
    # A clock that is behind, as that of a Pi without a network, makes no new one.
    begun = found.not_valid_before_utc < now + _LIVES
    return fits and has_names and begun and now < found.not_valid_after_utc - _RENEWED


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
