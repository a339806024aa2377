"""TLS with a pinned authority: who is trusted, and that the clock does not matter."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.x509.oid import NameOID

from firmware.hall.link.tls import OtherHallError, fetch_authority, pinned_context

YEAR = timedelta(days=365)
NOW = datetime.now(tz=UTC)


class Authority:
    """An authority, and servers that it signs for."""

    def __init__(self, begins: datetime = NOW - YEAR, ends: datetime = NOW + YEAR) -> None:
        self.times = begins, ends
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hall")])
        self.certificate = self._sign(self.name, self.key.public_key(), self.key, is_authority=True)

    @property
    def der(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.DER)

    @property
    def fingerprint(self) -> str:
        return self.certificate.fingerprint(SHA256()).hex()

    def _sign(
        self,
        name: x509.Name,
        public: ec.EllipticCurvePublicKey,
        key: ec.EllipticCurvePrivateKey,
        *,
        is_authority: bool,
    ) -> x509.Certificate:
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self.name)
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(self.times[0])
            .not_valid_after(self.times[1])
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
            .sign(key, SHA256())
        )

    def server(
        self, folder: Path, *, shown: x509.Certificate | None = None, forged: bool = False
    ) -> ssl.SSLContext:
        """Returns the TLS of a server that this authority signs for.

        Args:
            folder: folder for its files.
            shown: certificate that it shows as that of its authority; its own by default.
            forged: True if somebody else's key signs, under the authority's name.
        """
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "broker")])
        signer = ec.generate_private_key(ec.SECP256R1()) if forged else self.key
        own = self._sign(name, key.public_key(), signer, is_authority=False)
        pem = serialization.Encoding.PEM
        chain = own.public_bytes(pem) + (shown or self.certificate).public_bytes(pem)
        secret = key.private_bytes(
            pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        (folder / "chain.pem").write_bytes(chain)
        (folder / "key.pem").write_bytes(secret)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "chain.pem", folder / "key.pem")
        return context


@contextmanager
def serving(context: ssl.SSLContext) -> Iterator[int]:
    """Serves greetings over TLS; yields the port."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with connection, suppress(OSError):
                        connection.settimeout(2.0)
                        with context.wrap_socket(connection, server_side=True) as secured:
                            secured.sendall(b"hello")

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()


def greeting(port: int, context: ssl.SSLContext) -> bytes:
    with (
        socket.create_connection(("127.0.0.1", port), 2.0) as connection,
        context.wrap_socket(connection) as secured,
    ):
        return secured.recv(5)


def fetched(port: int, fingerprint: str) -> bytes:
    return fetch_authority("127.0.0.1", port, fingerprint, 2.0)


def test_the_pinned_authority_is_trusted(tmp_path: Path) -> None:
    hall = Authority()
    with serving(hall.server(tmp_path)) as port:
        authority = fetched(port, hall.fingerprint)
        assert authority == hall.der
        assert greeting(port, pinned_context(authority)) == b"hello"


@pytest.mark.parametrize(
    ("begins", "ends"),
    [(NOW + 10 * YEAR, NOW + 20 * YEAR), (NOW - 20 * YEAR, NOW - 10 * YEAR)],
    ids=["the clock is years early", "the clock is years late"],
)
def test_a_wrong_clock_keeps_nobody_out(tmp_path: Path, begins: datetime, ends: datetime) -> None:
    hall = Authority(begins, ends)
    strict = pinned_context(hall.der)
    strict.verify_flags &= ~0x200000
    with serving(hall.server(tmp_path)) as port:
        with pytest.raises(ssl.SSLCertVerificationError, match=r"valid|expired"):
            greeting(port, strict)
        assert greeting(port, pinned_context(fetched(port, hall.fingerprint))) == b"hello"


def test_another_authority_is_not_the_pinned_one(tmp_path: Path) -> None:
    with serving(Authority().server(tmp_path)) as port, pytest.raises(OtherHallError):
        fetched(port, Authority().fingerprint)


@pytest.mark.parametrize("place", [0, 31, 63])
def test_a_fingerprint_that_differs_in_a_digit_is_refused(tmp_path: Path, place: int) -> None:
    hall = Authority()
    digit = "0" if hall.fingerprint[place] != "0" else "1"
    wrong = hall.fingerprint[:place] + digit + hall.fingerprint[place + 1 :]
    with serving(hall.server(tmp_path)) as port, pytest.raises(OtherHallError):
        fetched(port, wrong)


def test_a_server_that_only_shows_the_authority_is_refused(tmp_path: Path) -> None:
    hall, other = Authority(), Authority()
    with serving(other.server(tmp_path, shown=hall.certificate)) as port:
        context = pinned_context(fetched(port, hall.fingerprint))
        with pytest.raises(ssl.SSLCertVerificationError, match="verify failed"):
            greeting(port, context)


def test_a_server_with_a_forged_signature_is_refused(tmp_path: Path) -> None:
    hall = Authority()
    with serving(hall.server(tmp_path, forged=True)) as port:
        context = pinned_context(fetched(port, hall.fingerprint))
        with pytest.raises(ssl.SSLCertVerificationError, match="verify failed"):
            greeting(port, context)


def test_a_server_without_its_authority_is_refused(tmp_path: Path) -> None:
    hall = Authority()
    context = hall.server(tmp_path, shown=Authority().certificate)
    with serving(context) as port, pytest.raises(OtherHallError):
        fetched(port, hall.fingerprint)


def test_nobody_and_somebody_without_tls_are_errors_of_the_network() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(OSError, match="timed out"):
            fetch_authority("127.0.0.1", port, "0" * 64, 0.2)
    with pytest.raises(ConnectionRefusedError):
        fetch_authority("127.0.0.1", port, "0" * 64, 0.2)
