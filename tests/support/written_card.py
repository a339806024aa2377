"""A card as Raspberry Pi Imager leaves it, and the folder of a release that is copied onto it."""

import shutil
from pathlib import Path
from typing import Final

USER: Final = "anna"
"""User that the owner chose in Imager."""

NAME: Final = "cornerlight"
"""Name of the machine that the owner chose in Imager."""

INSTANCE: Final = "ds=nocloud;i=rpi-imager-1796000000000"
"""Word that Imager appends to cmdline.txt."""

WRITTEN: Final = {
    "config.txt": "# The settings of a Raspberry Pi's firmware\ncamera_auto_detect=1\n",
    "cmdline.txt": f"console=tty1 root=PARTUUID=1 rootwait {INSTANCE}\n",
    "meta-data": "dsmode: local\ninstance_id: rpios-image\n",
    "network-config": "network:\n  version: 2\n  ethernets:\n    eth0:\n      dhcp4: true\n"
    "      optional: true\n",
    "user-data": f"#cloud-config\nhostname: {NAME}\nmanage_etc_hosts: true\nusers:\n"
    f"- name: {USER}\n  shell: /bin/bash\n  lock_passwd: true\nruncmd:\n- [ touch, /chosen ]\n",
}
"""Files of the boot partition, with what Imager writes for user and network."""

SEED: Final = {
    "etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg": "datasource_list: [ NoCloud, None ]\n"
    "datasource:\n  NoCloud:\n    seedfrom: file:///boot/firmware\n",
}
"""File of Raspberry Pi OS by which cloud-init finds those of the boot partition."""


def write_card(boot: Path, card: Path) -> None:
    """Writes the boot partition as Imager leaves it, and copies the folder of a release onto it.

    Args:
        boot: folder of the boot partition.
        card: zip file of the release.
    """
    boot.mkdir(parents=True, exist_ok=True)
    for name, text in WRITTEN.items():
        (boot / name).write_text(text)
    shutil.unpack_archive(card, boot)
