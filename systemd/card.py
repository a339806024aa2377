"""The folder that an owner copies onto a freshly written card of Raspberry Pi OS.

`make release` puts it into a zip file. Raspberry Pi Imager leaves user and WiFi to cloud-init,
which also reads `vendor-data` of the boot partition; Imager does not write that. As a boot hook it
runs at every start of the machine, so that a power cut loses nothing: it starts a service, which
installs the archive unless that was done.
"""

import shutil
import tarfile
from pathlib import Path
from typing import Final
from zipfile import ZIP_STORED, ZipFile

from checksums import LIST, put_checksums
from first_boot import CARD, DONE, SCREEN

ARCHIVE: Final = "cornerlight.tar.gz"
"""Archive in the folder. It has no version in its name: a newer folder that is copied over an older
one replaces it."""

PYTHON: Final = "3.13"
"""Python of Raspberry Pi OS Trixie, the first one with cloud-init."""

VENDOR_DATA: Final = f"""\
#cloud-boothook
#!/bin/sh
# Installs Cornerlight. To remove it from the card, delete this file and the folder cornerlight.
[ -e {CARD}/install.sh ] || exit 0
exec systemd-run --quiet --no-block --collect --unit=cornerlight-first-boot \\
  --property=Restart=on-failure --property=RestartSec=30 \\
  /bin/sh {CARD}/install.sh
"""
"""Text for cloud-init, which runs it as root at every start."""

INSTALL: Final = f"""\
#!/bin/sh
# Unpacks the archive in this folder and installs it, unless that was done.
cd {CARD} || exit 1
cmp -s {LIST} {DONE} && exit 0
place=/var/tmp/cornerlight-card
rm -rf $place
if ! sha256sum --check --quiet {LIST} >&2; then
  trouble="The folder cornerlight on the card is damaged: copy it onto the card again."
elif ! mkdir $place || ! tar -xzf {ARCHIVE} -C $place --strip-components=1; then
  trouble="The card has no room for Cornerlight, or is damaged: write another card."
  rm -rf $place
else
  exec python3 -B -u $place/systemd/first_boot.py
fi
mkdir -p {SCREEN.parent}
echo "$trouble" | tee {SCREEN}
agetty --reload
# Without a failure, after which it would be asked again and again: only another card helps.
"""
"""Script beside the archive."""


def put_card(release: Path, machine: str) -> Path:
    """Makes the zip file of a release; returns its path.

    Args:
        release: folder of the release, beside which the file is put.
        machine: the processor, as the kernel names it.
    """
    place = release.with_name("card")
    folder, ours = place / "cornerlight", place / release.name
    folder.mkdir(parents=True)
    # The boot partition is small, so the archive has the wheels of its one system alone.
    ignored = shutil.ignore_patterns(LIST)
    shutil.copytree(release, ours, ignore=ignored)
    for wheels in (ours / "wheels").glob("*-*"):
        if wheels.is_dir() and wheels.name != f"{machine}-{PYTHON}":
            shutil.rmtree(wheels)
    put_checksums(ours)
    packed(ours, folder / ARCHIVE)
    (folder / "install.sh").write_text(INSTALL, "utf-8")
    put_checksums(folder)
    card = release.with_name(f"{release.name.replace('-', '-card-', 1)}.zip")
    with ZipFile(card, "w", ZIP_STORED) as file:
        file.writestr("vendor-data", VENDOR_DATA)
        for path in sorted(folder.iterdir()):
            file.write(path, f"{folder.name}/{path.name}")
    shutil.rmtree(place)
    return card


def packed(folder: Path, archive: Path) -> None:
    """Packs a folder into an archive, of which it is the only entry."""
    # Wheels are compressed already.
    with tarfile.open(archive, "w:gz", compresslevel=1) as tar:
        tar.add(folder, folder.name)
