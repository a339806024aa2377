"""The settings of a table: frozen values read from TOML, each with its bounds.

A setting is a field: its annotation has the allowed values and the meaning. An unknown key, a wrong
kind of value or one out of bounds is refused with a sentence that names the nearest right one. A
list is a TOML array; text with commas between its items, the format of earlier versions, is read
too. Nothing is read at import, and there is no global state.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from enum import StrEnum
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from firmware.codes import (
    Bus,
    ChainCorner,
    ChainDirection,
    EditionKey,
    GameKey,
    LightPlace,
    Order,
    Scoring,
    Takeback,
    Timing,
    Translucency,
    TurnEnd,
)
from firmware.errors import SettingsError, read_file, without_passwords

CAMERA_SOURCES: Final = (
    "auto, phone, a device or its number, picamera2, an address with http:// or rtsp://, a folder "
    "of pictures, or a video file"
)
"""Sources of pictures that people can name, in words."""

_LARGEST: Final = 100_000
"""Greatest size of a file in bytes; one with every setting has 3,000."""

_LONGEST_LINE: Final = 1000
"""Greatest length of a line in bytes. The memory that `tomllib` needs grows with the square of the
parts of a dotted key: 5 GB for one of 45,000."""

_WHOLE_NUMBER: Final = re.compile("[0-9]{1,9}")
"""Pattern of a number in text, of limited length: `int` raises above 4,300 digits."""


@dataclass(frozen=True, slots=True)
class Range:
    """Inclusive bounds of a number."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class GameSettings:
    """Defaults of a game, which can be changed when a game begins."""

    game: Annotated[
        Literal["auto"] | GameKey,
        "game or puzzle on the table; auto is Duo or Classic by the size of the board",
    ] = "auto"
    edition: Annotated[
        EditionKey,
        "the colours of the plastic; auto looks at the board",
    ] = EditionKey.AUTO
    scoring: Annotated[Scoring, "scoring that names the winner"] = Scoring.ADVANCED
    shared_colour: Annotated[
        Literal["blue", "yellow", "red", "green"],
        "the colour that three players share in classic-3 and duo-4-3",
    ] = "green"
    takeback: Annotated[
        Literal["auto"] | Takeback,
        "time until which a player may lift an accepted piece; any is for puzzles; auto is "
        "until-next-move in games, any in puzzles",
    ] = "auto"
    turn_end: Annotated[TurnEnd, "end of a turn: the piece, or the player's button"] = (
        TurnEnd.ITSELF
    )
    hints: Annotated[
        int,
        Range(0, 99),
        "number of hints that each person may ask for; a puzzle always has 99",
    ] = 0
    hint_amount: Annotated[
        tuple[str, ...],
        "part of a hint that each person may be shown: none, area-and-piece or everything; one "
        "text is for all, no text means everything",
    ] = ()
    names: Annotated[tuple[str, ...], "of the people in the order of play"] = ()
    computer: Annotated[
        tuple[str, ...],
        "for each person in the order of play the computer's level, newcomer to champion or 1 to "
        "12; empty for a human being; nobody is the computer's if there are none",
    ] = ()


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """The players' clocks."""

    timing: Annotated[Timing, "kind of clock"] = Timing.NONE
    minutes: Annotated[float, Range(0.1, 1440), "that each person has"] = 20.0
    step_s: Annotated[
        float, Range(0, 3600), "seconds that a move adds, or that a turn has free"
    ] = 0.0


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """The camera over the table."""

    source: Annotated[
        str,
        f"camera: {CAMERA_SOURCES}",
    ] = "auto"
    mirror: Annotated[bool, "true if its pictures are mirrored"] = False
    turn: Annotated[
        Literal[0, 90, 180, 270],
        "degrees clockwise by which its pictures are turned, mirrored first",
    ] = 0
    mains_hz: Annotated[
        Literal[0, 50, 60],
        "frequency of the mains, by which a webcam or the camera of a Raspberry Pi avoids flicker; "
        "0 leaves it to the camera",
    ] = 0


@dataclass(frozen=True, slots=True)
class LightsSettings:
    """The LEDs under the board, or on a panel beside it."""

    driver: Annotated[
        Literal["none", "spi", "rpi-ws281x", "ws2812-pio", "wled"],
        "driver of the LEDs: our own code over SPI, for every Raspberry Pi; a library for Zero to "
        "4; the kernel of a 5; or WLED in the network",
    ] = "none"
    bus: Annotated[
        Bus,
        "source of the pulses of rpi-ws281x: on GPIO10, or as root on GPIO18 or GPIO21",
    ] = "spi"
    device: Annotated[
        str, "device of the driver, /dev/spidev0.0 or /dev/leds0 if empty; name or address of WLED"
    ] = ""
    order: Annotated[
        Order,
        "in which order the LEDs take their colours",
    ] = "GRB"
    place: Annotated[
        LightPlace, "under the board, or on a panel beside it, which no piece covers"
    ] = LightPlace.UNDER
    pieces: Annotated[Translucency, "translucent if light comes through the pieces"] = (
        Translucency.OPAQUE
    )
    columns: Annotated[int, Range(0, 32), "LEDs from left to right; 0 is one a square"] = 0
    rows: Annotated[int, Range(0, 32), "LEDs from top to bottom; 0 is one a square"] = 0
    panels_across: Annotated[
        int, Range(1, 4), "panels from left to right that these LEDs are on, all wired alike"
    ] = 1
    panels_down: Annotated[
        int, Range(1, 4), "panels from top to bottom; the chain takes them row by row"
    ] = 1
    left: Annotated[int, Range(0, 18), "columns of LEDs left of the board"] = 0
    top: Annotated[int, Range(0, 18), "rows of LEDs above the board"] = 0
    first: Annotated[ChainCorner, "corner of the first LED of a panel, seen from above"] = (
        ChainCorner.TOP_LEFT
    )
    along: Annotated[ChainDirection, "direction that the chain follows first"] = ChainDirection.ROWS
    serpentine: Annotated[bool, "true if the chain runs to and fro"] = True
    brightness: Annotated[float, Range(0, 1), "of all lights together by day"] = 0.6
    night_brightness: Annotated[float, Range(0, 1), "of all lights together by night"] = 0.2
    night_from: Annotated[float, Range(0, 24), "hour of the day at which night begins"] = 22.0
    night_to: Annotated[float, Range(0, 24), "hour of the day at which night ends"] = 7.0
    limit_ma: Annotated[
        float, Range(100, 20000), "current in mA that the supply of the LEDs gives"
    ] = 2500.0
    led_ma: Annotated[
        float, Range(10, 80), "current in mA of the three colours of one LED at full"
    ] = 60.0


@dataclass(frozen=True, slots=True)
class ButtonsSettings:
    """A button for each player, between a pin and ground."""

    driver: Annotated[
        Literal["none", "gpiozero"],
        "driver of the buttons of the players: pressed to end a turn, held for a hint",
    ] = "none"
    pins: Annotated[tuple[int, ...], "GPIO of each person's button in the order of play"] = (
        5,
        6,
        16,
        17,
    )
    hold_s: Annotated[float, Range(0.3, 5), "seconds that a button is held to ask for a hint"] = 1.0


@dataclass(frozen=True, slots=True)
class PageSettings:
    """The score page."""

    host: Annotated[str, "address to listen on; 0.0.0.0 is every one of this machine"] = "0.0.0.0"  # noqa: S104
    port: Annotated[int, Range(0, 65535), "port to listen on; 0 is any that is free"] = 8000
    streams: Annotated[int, Range(1, 1000), "number of phones that follow the game at once"] = 64
    evidence: Annotated[
        Literal["arbiter", "everybody"], "who may see what the camera saw of each move"
    ] = "arbiter"
    camera: Annotated[
        Literal["paired", "everybody"],
        "who may see the camera's live picture: paired phones, or all",
    ] = "paired"


@dataclass(frozen=True, slots=True)
class TableSettings:
    """Files and folders of the table, and their limits."""

    socket: Annotated[str, "Unix socket between the table and the score page"] = (
        "/run/cornerlight/feed.sock"
    )
    folder: Annotated[str, "folder of the journal and the paired phones"] = "/var/lib/cornerlight"
    games: Annotated[str, "folder of games; a .blksgf of others put there is shown, too"] = (
        "/var/lib/cornerlight/games"
    )
    pictures_kb: Annotated[
        int, Range(0, 100000), "kilobytes of evidence pictures a game keeps at most"
    ] = 5000
    games_mb: Annotated[
        int, Range(1, 1000000), "megabytes of all games; the oldest lose their pictures first"
    ] = 500


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, one field for each section of the file."""

    game: GameSettings = field(default_factory=GameSettings)
    clock: ClockSettings = field(default_factory=ClockSettings)
    camera: CameraSettings = field(default_factory=CameraSettings)
    lights: LightsSettings = field(default_factory=LightsSettings)
    buttons: ButtonsSettings = field(default_factory=ButtonsSettings)
    page: PageSettings = field(default_factory=PageSettings)
    table: TableSettings = field(default_factory=TableSettings)


def load(path: Path) -> Settings:
    """Reads the settings in a TOML file; missing ones have their defaults.

    Raises:
        UnreadableError: the file cannot be read.
        SettingsError: it is not TOML, or a setting in it cannot be used.
    """
    data = read_file(path, "the settings", longest=_LARGEST)
    if max(map(len, data.splitlines()), default=0) > _LONGEST_LINE:
        raise SettingsError(
            f"{path} has more than {_LONGEST_LINE} bytes in a line; settings are never so long"
        )
    try:
        # Editors of Windows may begin a file with a mark of its encoding.
        table = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path} is not UTF-8 text; save it as UTF-8") from error
    except (ValueError, RecursionError) as error:
        # The parser also raises other errors for extreme nesting and numbers.
        raise SettingsError(f"{path} is not TOML: {error}") from error
    return parse(table, str(path))


def parse(table: Mapping[str, object], source: str = "settings") -> Settings:
    """Converts a table of sections to settings.

    Args:
        table: section names and their keys, as `tomllib` returns them.
        source: name of the source in error messages.

    Raises:
        SettingsError: a setting cannot be used.
    """
    settings: Settings = _section(Settings, table, source, "")
    return settings


def describe(kind: type[Any] = Settings, path: str = "") -> list[tuple[str, str, object, str]]:
    """Returns every setting as (dotted name, allowed values, default, meaning), in order.

    `json.dumps` of a default is its text in TOML.
    """
    rows: list[tuple[str, str, object, str]] = []
    hints = get_type_hints(kind, include_extras=True)
    defaults = kind()
    for item in fields(kind):
        name, hint = f"{path}{item.name}", hints[item.name]
        if isinstance(hint, type) and is_dataclass(hint):
            rows += describe(hint, f"{name}.")
        else:
            meaning = next(note for note in hint.__metadata__ if isinstance(note, str))
            rows.append((name, _allowed(hint), value_of(defaults, item.name), meaning))
    return rows


def value_of(settings: object, name: str) -> object:
    """Returns the value of a setting by its dotted name, in TOML types: a list, not a tuple."""
    value = attrgetter(name)(settings)
    if isinstance(value, StrEnum):
        return value.value
    return list(value) if isinstance(value, tuple) else value


def _section(kind: type[Any], table: Mapping[str, object], source: str, path: str) -> Any:
    hints = get_type_hints(kind, include_extras=True)
    values = {}
    for key, value in table.items():
        if key not in hints:
            raise SettingsError(f"{source}: {_unknown(path, key, list(hints))}")
        hint, name = hints[key], f"{path}{key}"
        if not is_dataclass(hint):
            values[key] = _value(hint, value, source, name)
        elif isinstance(value, Mapping):
            values[key] = _section(hint, value, source, f"{name}.")  # type: ignore[arg-type]
        else:
            raise SettingsError(f"{source}: {name} is a section; write [{name}] above its keys")
    return kind(**values)


def _unknown(path: str, key: str, known: list[str]) -> str:
    near = get_close_matches(key, known, n=1, cutoff=0.0)[0]
    what = f"section [{key}]" if not path else f"setting {path}{key}"
    return f"there is no {what}; the nearest is {path}{near}"


def _value(hint: Any, value: object, source: str, name: str) -> object:
    kind, *notes = get_args(hint)
    if get_origin(kind) is tuple:
        value = _items(get_args(kind)[0], value)
        fits = isinstance(value, tuple)
    elif choices := _choices(kind):
        fits = type(value) is type(next(iter(choices))) and value in choices  # True equals 1
        value = choices[value] if fits else value
    else:
        numeric = kind is float and type(value) is int
        fits = type(value) is kind or numeric
        for bounds in (note for note in notes if isinstance(note, Range)):
            fits = fits and bounds.low <= value <= bounds.high  # type: ignore[operator]
    if not fits:
        shown = without_passwords(repr(value))
        raise SettingsError(f"{source}: {name} must be {_allowed(hint)}, not {shown}")
    return float(value) if kind is float else value  # type: ignore[arg-type]


def _choices(kind: Any) -> dict[object, object]:
    """Returns the values of a setting by those of TOML; empty if it is no choice."""
    if get_origin(kind) is Literal:
        return {value: value for value in get_args(kind)}
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return {member.value: member for member in kind}
    if get_origin(kind) is Union:
        return {key: one for part in get_args(kind) for key, one in _choices(part).items()}
    return {}


def _items(kind: type[int | str], value: object) -> object:
    """Converts an array, or text with commas, to a tuple of `kind`; returns other values as is."""
    items = value
    if isinstance(value, str):
        items = [word.strip() for word in value.split(",")] if value else []
        if kind is int:
            items = [int(word) if _WHOLE_NUMBER.fullmatch(word) else word for word in items]
    if isinstance(items, list) and all(type(item) is kind for item in items):
        return tuple(items)
    return value


def _allowed(hint: Any) -> str:
    kind, *notes = get_args(hint)
    if get_origin(kind) is tuple:
        return {int: "a list of whole numbers", str: "a list of texts"}[get_args(kind)[0]]
    if choices := _choices(kind):
        return "one of " + ", ".join(map(str, choices))
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}[kind]
    for note in notes:
        if isinstance(note, Range):
            words += f" from {note.low:g} to {note.high:g}"
    return words
