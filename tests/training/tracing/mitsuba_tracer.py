"""Tracing of scenes with Mitsuba 3, which only this module needs.

Mitsuba is an optional extra (`pip install '.[teaching]'`). Its variant `llvm_ad_rgb` was
three times as fast as `scalar_rgb` on one core: it compiles once for all scenes of the same
structure. The variable DRJIT_LIBLLVM_PATH names the LLVM library; on a processor with AVX-512
version 15 failed; 19 (Debian's libllvm19) and 22 worked.
"""

from typing import Any, Final

import drjit
import mitsuba
import numpy as np
from numpy.typing import NDArray

from tests.training.tracing.board import middle_of
from tests.training.tracing.eye import Eye
from tests.training.tracing.leds import LedGroup
from tests.training.tracing.looks import Finish
from tests.training.tracing.mesh import Values
from tests.training.tracing.palette import palette_of
from tests.training.tracing.setting import Body, TracedScene

_DEPTH, _DEPTH_THROUGH = 5, 7
"""Longest paths, in reflections: for opaque scenes, and for light through tiles."""

_LOOKS: Final = 6
"""Samples of a pixel for colours and normals of surfaces."""

_GLOW_MM: Final = 0.03
"""Height of the light of an LED above the floor of its square."""

_Dict = dict[str, Any]


def ready(variant: str) -> None:
    """Selects the variant of Mitsuba, on one core.

    Raises:
        ImportError: Mitsuba was built without this variant, or LLVM was not found.
    """
    mitsuba.set_variant(variant)
    mitsuba.set_log_level(mitsuba.LogLevel.Error)
    drjit.set_thread_count(1)


def traced(
    scene: TracedScene, samples: int, seed: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Traces two pictures of a scene, red first.

    The first, (side, side, 3), is linear light; the second, (side, side, 6), the colours and
    normals of the surfaces, without noise.

    Args:
        scene: the scene.
        samples: number of paths of all pixels together.
        seed: seed of the paths.
    """
    parts: _Dict = {"type": "scene", "sensor": _sensor(scene.eye), "room": _room(scene.room)}
    through = any(body.finish.through for body in scene.bodies)
    depth = _DEPTH_THROUGH if through else _DEPTH
    for number, body in enumerate(scene.bodies):
        parts[f"body{number}"] = _body(body)
    for number, lamp in enumerate(scene.lamps):
        shine = {"type": "area", "radiance": {"type": "rgb", "value": lamp.radiance.tolist()}}
        corners = lamp.body.vertices[lamp.body.faces.ravel()]
        light = {"light": mitsuba.load_dict(shine)}
        parts[f"lamp{number}"] = _shape(corners, light, corners[:, :2])
    for number, glow in enumerate(scene.glows):
        parts[f"glow{number}"] = _glow(scene, glow)
    world = mitsuba.load_dict(parts)
    paths = mitsuba.load_dict({"type": "path", "max_depth": depth, "rr_depth": 3})
    count = max(4, round(samples / scene.eye.side**2))
    light = mitsuba.render(world, integrator=paths, spp=count, seed=seed)
    # Traced together, both pictures take twice as long as one after the other.
    first = mitsuba.load_dict({"type": "aov", "aovs": "c:albedo,n:sh_normal"})
    surface = mitsuba.render(world, integrator=first, spp=_LOOKS, seed=seed)
    return np.array(light, np.float32), np.array(surface, np.float32)


def _sensor(eye: Eye) -> _Dict:
    at, up = eye.place + eye.axes[2], -eye.axes[1]
    look = mitsuba.ScalarTransform4f().look_at(eye.place.tolist(), at.tolist(), up.tolist())
    film = {
        "type": "hdrfilm",
        "width": eye.side,
        "height": eye.side,
        "pixel_format": "rgb",
        "rfilter": {"type": "box"},
    }
    angle = 2 * np.degrees(np.arctan(eye.side / 2 / eye.focal))
    return {"type": "perspective", "fov": float(angle), "to_world": look, "film": film}


def _room(light: NDArray[np.float32]) -> _Dict:
    """Returns the environment light; in Mitsuba's maps y is up."""
    upright = mitsuba.ScalarTransform4f().rotate([1, 0, 0], 90)
    return {"type": "envmap", "bitmap": mitsuba.Bitmap(light), "to_world": upright}


def _body(body: Body) -> Any:
    palette, places = palette_of(body.mesh.colours)
    colour = {
        "type": "bitmap",
        "bitmap": mitsuba.Bitmap(palette),
        "raw": True,
        "filter_type": "nearest",
        "wrap_mode": "clamp",
    }
    surface = mitsuba.load_dict(_surface(body.finish, colour))
    corners = body.mesh.faces.ravel()
    return _shape(body.mesh.vertices[corners], {"bsdf": surface}, places.repeat(3, axis=0))


def _surface(finish: Finish, colour: _Dict) -> _Dict:
    if finish.through:
        return {
            "type": "principledthin",
            "base_color": colour,
            "roughness": float(np.sqrt(finish.roughness)),
            "diff_trans": 2 * finish.through,
            "eta": 1.49,
        }
    return {
        "type": "roughplastic",
        "diffuse_reflectance": colour,
        "alpha": finish.roughness,
        "specular_reflectance": finish.shine,
        "distribution": "ggx",
    }


def _shape(corners: Values, parts: _Dict, places: Values) -> Any:
    """Returns a mesh of Mitsuba with triangles that share no vertex.

    Args:
        corners: (3 m, 3) corners of the triangles.
        parts: its surface or its emitter.
        places: (3 m, 2) texture coordinates of the corners.
    """
    properties = mitsuba.Properties()
    for name, part in parts.items():
        properties[name] = part
    count = len(corners)
    shape = mitsuba.Mesh("mesh", count, count // 3, has_vertex_texcoords=True, props=properties)
    values = mitsuba.traverse(shape)
    values["vertex_positions"] = corners.astype(np.float32).ravel()
    values["faces"] = np.arange(count, dtype=np.uint32)
    values["vertex_texcoords"] = places.astype(np.float32).ravel()
    values.update()
    return shape


def _glow(scene: TracedScene, glow: LedGroup) -> Any:
    """Returns squares of light, each with the whole picture as texture."""
    half = scene.board.pitch * glow.share / 2
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]])
    corners = np.array([middle_of(square, scene.board) for square in glow.squares])
    corners = corners[:, None] + np.append(square * half, np.full((6, 1), _GLOW_MM), axis=1)
    picture = {"type": "bitmap", "bitmap": mitsuba.Bitmap(glow.picture), "raw": True}
    light = mitsuba.load_dict({"type": "area", "radiance": picture})
    places = np.tile((square + 1) / 2, (len(glow.squares), 1))
    return _shape(corners.reshape(-1, 3), {"light": light}, places)
