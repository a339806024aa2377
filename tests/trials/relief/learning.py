"""How the network of shapes learns: gradients, and steps by their moments (Adam)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.relief import SHAPES, Layer, levelled, patches_of

Values = NDArray[np.float32]

CHANNELS = (3, 12, 16, 24, 32, 32, 4)
_LEAK = np.float32(0.1)
_BATCH = 4
_RATE, _WARM, _DECAY = 2e-3, 50, 1e-3
_FIRST, _SECOND = 0.9, 0.999
_SURELY = np.float32(0.99)
_EVERY = 200


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """A view, (side, side, 3), and what lies on its squares, (n, n), below 0 where not known."""

    view: Image
    shapes: NDArray[np.intp]


def learned(
    lessons: Sequence[Lesson],
    steps: int,
    chance: np.random.Generator,
    told: Callable[[int, float], None],
) -> tuple[Layer, ...]:
    """Layers that have learned from lessons, each turned and recoloured anew when it is taken.

    Args:
        lessons: what to learn from.
        steps: how many; each takes a few lessons.
        chance: which, and in what order.
        told: is told the step and the mean loss now and then.
    """
    layers = fresh(chance)
    first = [[np.zeros_like(part) for part in layer] for layer in layers]
    second = [[np.zeros_like(part) for part in layer] for layer in layers]
    usual = 1.0
    for step in range(1, steps + 1):
        views, shapes = _drawn(lessons, chance)
        loss, slopes = slopes_of(layers, views, shapes)
        usual += 0.02 * (loss - usual)
        rate = _RATE * min(1.0, step / _WARM) * (0.51 + 0.5 * np.cos(np.pi * step / steps))
        for layer, slope, mean, square in zip(layers, slopes, first, second, strict=True):
            for k in (0, 1):
                mean[k] += (1 - _FIRST) * (slope[k] - mean[k])
                square[k] += (1 - _SECOND) * (slope[k] ** 2 - square[k])
                fair = np.sqrt(square[k] / (1 - _SECOND**step)) + 1e-8
                layer[k][...] -= rate * mean[k] / (1 - _FIRST**step) / fair
            layer[0][...] *= 1 - rate * _DECAY
        if step % _EVERY == 0:
            told(step, usual)
    return layers


def fresh(chance: np.random.Generator) -> tuple[Layer, ...]:
    """Layers that know nothing (He and others 2015)."""
    layers = []
    for (kernel, _, _), before, after in zip(SHAPES, CHANNELS[:-1], CHANNELS[1:], strict=True):
        inputs = kernel * kernel * before
        weight = chance.normal(0, np.sqrt(2 / inputs), (inputs, after)).astype(np.float32)
        layers.append((weight, np.zeros(after, np.float32)))
    return tuple(layers)


def _drawn(
    lessons: Sequence[Lesson], chance: np.random.Generator
) -> tuple[Values, NDArray[np.intp]]:
    """A few lessons: turned, mirrored, their channels exchanged."""
    views, shapes = [], []
    for number in chance.integers(len(lessons), size=_BATCH):
        turn, mirror = int(chance.integers(4)), int(chance.choice([1, -1]))
        view = np.rot90(lessons[number].view, turn)[:, ::mirror, chance.permutation(3)]
        views.append(levelled(np.ascontiguousarray(view)))
        shapes.append(np.rot90(lessons[number].shapes, turn)[:, ::mirror])
    return np.stack(views), np.stack(shapes)


def slopes_of(
    layers: tuple[Layer, ...], views: Values, shapes: NDArray[np.intp]
) -> tuple[float, list[Layer]]:
    """The mean loss (cross entropy) of some views, and how it changes with each weight."""
    said, seen = _forward(layers, views)
    inner = said[:, 1:-1, 1:-1]
    odds = np.exp(inner - inner.max(axis=-1, keepdims=True))
    chances = odds / odds.sum(axis=-1, keepdims=True)
    known = shapes >= 0
    truth = np.eye(said.shape[-1], dtype=np.float32)[np.where(known, shapes, 0)]
    loss = -float((np.log(chances + 1e-7) * truth).sum(axis=-1)[known].mean())
    wanted = _SURELY * truth + (1 - _SURELY) / said.shape[-1]
    slope = np.zeros_like(said)
    slope[:, 1:-1, 1:-1] = (chances - wanted) * known[..., None] / np.float32(known.sum())
    return loss, _backward(layers, seen, slope)


_Seen = list[tuple[tuple[int, ...], Values, Values]]


def _forward(layers: tuple[Layer, ...], views: Values) -> tuple[Values, _Seen]:
    """What `vision.relief.network` says, and what each layer looked at and said."""
    values, seen = views, []
    for number, (shape, (weight, offset)) in enumerate(zip(SHAPES, layers, strict=True)):
        patches = patches_of(values, *shape)
        sums = patches @ weight + offset
        seen.append((values.shape, patches, sums))
        values = np.maximum(sums, _LEAK * sums) if number < len(SHAPES) - 1 else sums
    return values, seen


def _backward(layers: tuple[Layer, ...], seen: _Seen, slope: Values) -> list[Layer]:
    slopes: list[Layer] = []
    for number in reversed(range(len(layers))):
        before, patches, sums = seen[number]
        if number < len(layers) - 1:
            slope = slope * np.where(sums > 0, np.float32(1), _LEAK)
        flat = slope.reshape(-1, slope.shape[-1])
        weight = patches.reshape(len(flat), -1).T @ flat
        slopes.append((weight, flat.sum(axis=0)))
        if number:
            slope = _spread(slope @ layers[number][0].T, before, *SHAPES[number])
    return slopes[::-1]


def _spread(
    patches: Values, shape: tuple[int, ...], kernel: int, stride: int, padding: int
) -> Values:
    """Sums over patches, at the places they were cut from: the reverse of `patches_of`."""
    count, height, width, channels = shape
    rows, columns = patches.shape[1:3]
    apart = patches.reshape(count, rows, columns, kernel, kernel, channels)
    wide = np.zeros((count, height + 2 * padding, width + 2 * padding, channels), np.float32)
    for down in range(kernel):
        for right in range(kernel):
            bottom, end = down + stride * rows, right + stride * columns
            wide[:, down:bottom:stride, right:end:stride] += apart[:, :, :, down, right]
    return wide[:, padding : padding + height, padding : padding + width]
