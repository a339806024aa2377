"""Tracing of a drawing's shapes by Mitsuba, which only this module needs.

Its variant for LLVM is three times as fast on one core; without LLVM 16 or newer the other is used.
"""

import math
from pathlib import Path
from typing import Any, Final

import drjit
import mitsuba
import numpy as np
from numpy.typing import NDArray

from hardware.drawings.drawing import Drawing
from hardware.drawings.solids import Triangles, rod
from hardware.renders.framing import SIZE, Viewpoint
from vision.camera import Image
from vision.io.image_file import encode_jpeg

_VARIANTS: Final = ("llvm_ad_rgb", "scalar_rgb")
"""Variants of Mitsuba, in the order in which they are tried; the first needs LLVM."""

_COLOURS: Final = {"#f3e9d8": "#b98a58", "#eef1f5": "#dfe3e8"}
"""Colours that are not those of a drawing: wood, and plastic."""

_GLOWS: Final = {"#ffe45c": 2.2}
"""Light of a lit LED, in shares of white paper below the lamp."""

_ROUGHNESS: Final = 0.25
"""Roughness of plastic and varnish, Beckmann's alpha."""

_LINE_MM: Final = 0.35
"""Radius of a line on a surface."""

_LAMP: Final = (34.0, 30.0, 25.0)
"""Radiance of a lamp like a window, red, green and blue."""

_LAMP_MM: Final = ((-900.0, -500.0, 1500.0), 260.0)
"""Its place from the middle of the picture, and half its side."""

_SKY: Final = (0.30, 0.34, 0.40)
"""Radiance from everywhere."""

_GROUND: Final = (0.62, 0.63, 0.66)
"""Share of light that the ground reflects."""

_GROUND_MM: Final = 60.0
"""Distance of the ground below everything, in millimetres."""

_EXPOSURE: Final = 1.5
"""Factor from radiance to what film takes."""

_QUALITY: Final = 90
"""Quality of the JPEG, 0 to 100."""


def render(drawing: Drawing, viewpoint: Viewpoint, path: Path, *, samples: int = 256) -> None:
    """Writes a picture of a drawing's shapes and lines as JPEG, without its notes.

    Args:
        drawing: the drawing.
        viewpoint: the camera.
        path: the file.
        samples: paths a pixel.
    """
    _choose_variant()
    bodies = [(solid.triangles, colour) for solid, colour in drawing.bodies]
    low = min(float(triangles[..., 2].min()) for triangles, _ in bodies)
    bodies += [
        (rod(start, end, _LINE_MM).triangles, colour) for start, end, colour in drawing.strokes
    ]
    world: dict[str, Any] = {
        "type": "scene",
        "sensor": _sensor(viewpoint),
        "sky": {"type": "constant", "radiance": _rgb(_SKY)},
        "lamp": _lamp(viewpoint),
        "ground": _ground(low - _GROUND_MM),
    }
    for number, colour in enumerate(sorted({colour for _, colour in bodies})):
        triangles = np.concatenate([shape for shape, ink in bodies if ink == colour])
        world[f"body{number}"] = _body(triangles, colour)
    scene = mitsuba.load_dict(world)
    paths = mitsuba.load_dict({"type": "path", "max_depth": 7})
    light = np.array(mitsuba.render(scene, integrator=paths, spp=samples, seed=1))
    path.write_bytes(encode_jpeg(_developed(light), _QUALITY))


def _choose_variant() -> None:
    """Selects the first variant that works here, on one core."""
    for variant in _VARIANTS:
        try:
            mitsuba.set_variant(variant)
        except ImportError:
            continue
        mitsuba.set_log_level(mitsuba.LogLevel.Error)
        drjit.set_thread_count(1)
        return


def _sensor(viewpoint: Viewpoint) -> dict[str, Any]:
    width, height = SIZE
    look = mitsuba.ScalarTransform4f().look_at(viewpoint.place, viewpoint.target, [0, 0, 1])
    film = {"type": "hdrfilm", "width": width, "height": height, "pixel_format": "rgb"}
    return {"type": "perspective", "fov": viewpoint.across_deg, "to_world": look, "film": film}


def _lamp(viewpoint: Viewpoint) -> dict[str, Any]:
    place, half = _LAMP_MM
    start = [a + b for a, b in zip(place, viewpoint.target, strict=True)]
    turned = mitsuba.ScalarTransform4f().look_at(start, list(viewpoint.target), [0, 1, 0])
    shine = {"type": "area", "radiance": _rgb(_LAMP)}
    scale = mitsuba.ScalarTransform4f().scale(half)
    return {"type": "rectangle", "to_world": turned @ scale, "emitter": shine}


def _ground(height: float) -> dict[str, Any]:
    place = mitsuba.ScalarTransform4f().translate([0, 0, height]).scale(20_000)
    surface = {"type": "diffuse", "reflectance": _rgb(_GROUND)}
    return {"type": "rectangle", "to_world": place, "bsdf": surface}


def _body(triangles: Triangles, colour: str) -> Any:
    reflected = _linear(_COLOURS.get(colour, colour))
    properties = mitsuba.Properties()
    surface = {
        "type": "roughplastic",
        "diffuse_reflectance": _rgb(reflected),
        "alpha": _ROUGHNESS,
        "nonlinear": True,
    }
    properties["bsdf"] = mitsuba.load_dict({"type": "twosided", "bsdf": surface})
    if colour in _GLOWS:
        red, green, blue = (_GLOWS[colour] * share for share in reflected)
        shine = {"type": "area", "radiance": _rgb((red, green, blue))}
        properties["emitter"] = mitsuba.load_dict(shine)
    count = len(triangles)
    shape = mitsuba.Mesh("mesh", 3 * count, count, props=properties)
    values = mitsuba.traverse(shape)
    values["vertex_positions"] = triangles.astype(np.float32).ravel()
    values["faces"] = np.arange(3 * count, dtype=np.uint32)
    values.update()
    return shape


def _rgb(value: tuple[float, float, float]) -> dict[str, Any]:
    return {"type": "rgb", "value": list(value)}


def _linear(colour: str) -> tuple[float, float, float]:
    """Returns the share of light that a colour of the screen reflects, red, green and blue."""
    red, green, blue = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return (_light_of(red), _light_of(green), _light_of(blue))


def _light_of(value: float) -> float:
    """Inverse of the transfer function of sRGB (IEC 61966-2-1)."""
    return value / 12.92 if value <= 0.04045 else math.pow((value + 0.055) / 1.055, 2.4)


def _developed(light: NDArray[np.float32]) -> Image:
    """Returns light (h, w, 3), red first, as a picture with soft highlights, as film has them."""
    film = 1 - np.exp(-_EXPOSURE * light)
    values = np.where(film <= 0.0031308, 12.92 * film, 1.055 * film ** (1 / 2.4) - 0.055)
    return np.ascontiguousarray(np.round(255 * values[..., ::-1])).astype(np.uint8)
