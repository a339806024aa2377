"""Secrets in a text that a person sends: hidden in every form; the rest stays."""

import pytest

from firmware.commands.doctor_report import without_secrets
from firmware.session.pairing import grouped
from web.contract import fingerprint

TOKEN = "q3V_0w-hX9mB2kZt7LrYc5Nf8sJdPaEuGi1oRvTxQ4M"  # noqa: S105, of no phone
NO_DIGIT = "vzkVrYyFQfGas-WrQzcFrUzVDMQluWnmLcYt_Kia_Cg"
NUMBER = "482915037716"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("camera.source = http://ann:hunter2@192.168.1.20/video", "hunter2"),
        ("cannot open rtsp://ann:hunter2@cam/x?password=geheim", "geheim"),
        ("login: password=hunter2", "hunter2"),
        ('{"token": "abc"}', "abc"),
        ("Authorization: Basic YW5uOmh1bnRlcjI=", "YW5uOmh1bnRlcjI"),
        ("wpa_supplicant: psk=correcthorse", "correcthorse"),
        (f"type {grouped(NUMBER)} on the phone", grouped(NUMBER)),
        (f"http://table.local:8000/arbiter#{NUMBER}", NUMBER),
        (f"cookie pairing {TOKEN} refused", TOKEN),
        (f"cookie pairing {NO_DIGIT} refused", NO_DIGIT),
        (f"phones: {fingerprint(TOKEN)}", fingerprint(TOKEN)[:20]),
        ("machine-id 0b1c2d3e4f5061728394a5b6c7d8e9f0", "0b1c2d3e4f50"),
        ("mail ann.b+x@example.org for help", "ann.b"),
        ("phone from 93.184.216.34 visited", "93.184.216.34"),
        ("phone from 93.184.216.34:51234 visited", "93.184.216.34"),
        ("page at http://[2a02:8109:9a00:1::7]:8000/", "2a02:8109"),
        ("mapped ::ffff:93.184.216.34", "93.184.216.34"),
        ("eth0: b8:27:eb:12:34:56 link up", "b8:27:eb"),
        ("usb 1-1: SerialNumber: 4A6B12", "4A6B12"),
    ],
)
def test_a_secret_is_hidden(text: str, secret: str) -> None:
    assert secret in text
    assert secret not in without_secrets(f"before\n{text}\nafter")


@pytest.mark.parametrize(
    "text",
    [
        "fine       address: http://192.168.1.20:8000/ or http://10.0.0.4:8000/",
        "opencv-python-headless==4.14.0.94",
        "machine: Raspberry Pi 4 Model B Rev 1.4, Linux 6.12.47+rpt-rpi-v8 aarch64",
        "2026-11-23T12:34:56+0000 pi cornerlight[812]: the camera gives no pictures",
        "[   12.345678] imx708 10-001a: camera module ID 0x0301",
        "mend it: sudo chown -R cornerlight:cornerlight /var/lib/cornerlight",
        "moves: 342,792 ways to begin Duo",
    ],
)
def test_what_helps_stays(text: str) -> None:
    assert without_secrets(text) == text
