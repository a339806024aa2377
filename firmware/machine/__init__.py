"""Facts of the computer that the program runs on, as its kernel tells them. Opens no device.

sysfs               the files in which the kernel tells facts
health              heat and supply voltage of a Raspberry Pi
computer            the model, and the folder and the programs that tell the other facts
throttling          voltage and heat of a Raspberry Pi since its start
accounts            users, groups, and the files that a user may open
device_nodes        devices as files
boot_configuration  the boot configuration of a Raspberry Pi
mounts              the file system on which a folder lies
system_clock        the clock, set from the network or not
units               the units of systemd that belong to an installed table
"""
