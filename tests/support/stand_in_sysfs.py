"""A folder that stands in for `/sys` of a Raspberry Pi."""

from pathlib import Path
from typing import Final


class StandInSysfs:
    """The files that tell heat and supply voltage; at first the computer is cool and supplied.

    Args:
        path: folder that gets the files.
    """

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self.zone: Final = path / "class" / "thermal" / "thermal_zone0"
        self.monitor: Final = path / "class" / "hwmon" / "hwmon1"
        for folder in (self.zone, self.monitor):
            folder.mkdir(parents=True)
        (self.zone / "type").write_text("cpu-thermal\n", encoding="ascii")
        (self.monitor / "name").write_text("rpi_volt\n", encoding="ascii")
        self.set_celsius(51.3)
        self.set_undervoltage(is_low=False)

    @property
    def temperature(self) -> Path:
        """The file with the temperature."""
        return self.zone / "temp"

    @property
    def alarm(self) -> Path:
        """The file with the alarm of the voltage."""
        return self.monitor / "in0_lcrit_alarm"

    def set_celsius(self, celsius: float) -> None:
        """Sets the temperature of the processor in °C."""
        self.temperature.write_text(f"{1000 * celsius:.0f}\n", encoding="ascii")

    def set_undervoltage(self, *, is_low: bool) -> None:
        """Raises or clears the alarm of the voltage."""
        self.alarm.write_text(f"{int(is_low)}\n", encoding="ascii")
