"""Facts of the computer that the program runs on, as its kernel tells them. Opens no device.

sysfs               the files in which the kernel tells facts
health              heat and supply voltage of a Raspberry Pi
computer            the model, and the folder and the programs that tell the other facts
accounts            users, groups, and the files that a user may open
device_nodes        devices as files
boot_configuration  the boot configuration of a Raspberry Pi
running_system      file systems, the clock, and what the firmware of a Raspberry Pi slowed
network             the port of the page, and the addresses at which phones open it
units               the units of systemd that belong to an installed table
"""
