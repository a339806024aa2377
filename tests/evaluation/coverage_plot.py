"""The plot of the trial `coverage`: an SVG that Chromium converts to PNG."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from playwright.sync_api import sync_playwright

from tests.support.degraded_pictures import WORSENINGS, Worsening

if TYPE_CHECKING:
    from tests.evaluation.coverage import SquareResults

WIDTH, HEIGHT = 1180, 700
INK, SOFT, GRID = "#23262b", "#6b7178", "#e3e6ea"
RIGHT, OPEN, WRONG = "#7fb69b", "#e9c46a", "#c8443c"
LINES: Final = dict(
    zip(
        (way.name for way in WORSENINGS),
        ("#35618f", "#8b5aa8", "#c17c2b", "#3f8a6b", "#b8415f"),
        strict=True,
    )
)
LOWEST = 1e-5


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of the plot, in pixels."""

    left: float
    top: float
    width: float
    height: float


def draw(found: "dict[str, list[SquareResults]]", everything: "SquareResults", out: Path) -> None:
    """Draws the results as a PNG of 1770 by 1050 pixels."""
    parts = [_text(40, 34, "What becomes of squares as pictures get worse", size=17, weight=600)]
    parts.append(_legend(40, 56))
    for k, way in enumerate(WORSENINGS):
        parts.append(_steps(Box(40 + k * 226, 86, 196, 190), way, found[way.name]))
    parts.append(_risk(Box(110, 400, 450, 236), found))
    parts.append(_odds(Box(710, 400, 430, 236), everything))
    style = "font-family:'DejaVu Sans',Helvetica,Arial,sans-serif"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'style="{style};background:#fff">{"".join(parts)}</svg>'
    )
    _photograph(svg, out)


def _photograph(svg: str, out: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=1.5
        )
        page.set_content(f'<body style="margin:0">{svg}</body>')
        page.screenshot(path=str(out))
        browser.close()


def _text(
    x: float, y: float, words: str, *, size: int = 12, anchor: str = "start", **look: object
) -> str:
    fill, weight, turn = look.get("fill", INK), look.get("weight", 400), look.get("turn")
    turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
        f'fill="{fill}" font-weight="{weight}"{turned}>{words}</text>'
    )


def _line(
    points: Sequence[tuple[float, float]], colour: str, width: float = 1.0, **look: str
) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dash = f' stroke-dasharray="{look["dash"]}"' if "dash" in look else ""
    return (
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}" '
        f'stroke-linejoin="round"{dash}/>'
    )


def _area(points: Sequence[tuple[float, float]], colour: str) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polygon points="{path}" fill="{colour}"/>'


def _legend(x: float, y: float) -> str:
    parts = []
    for words, colour in (("right", RIGHT), ("left open", OPEN), ("wrong", WRONG)):
        parts.append(f'<rect x="{x}" y="{y - 10}" width="12" height="12" rx="2" fill="{colour}"/>')
        parts.append(_text(x + 18, y, words, fill=SOFT))
        x += 34 + 8 * len(words)
    return "".join(parts)


def _steps(box: Box, way: Worsening, found: "Sequence[SquareResults]") -> str:
    """Returns the stacked shares of squares over the steps of one degradation."""
    left, top, height, steps = box.left, box.top, box.height, way.steps
    shares = np.array([squares.shares() for squares in found])
    across = left + np.linspace(0, box.width, len(steps))
    bounds = np.concatenate([np.zeros((len(steps), 1)), np.cumsum(shares, axis=1)], axis=1)
    down = top + height * (1 - bounds)
    parts = [_text(left, top - 6, way.name, size=13, weight=600)]
    for k, colour in enumerate((RIGHT, OPEN, WRONG)):
        lower = list(zip(across, down[:, k], strict=True))
        upper = list(zip(across[::-1], down[::-1, k + 1], strict=True))
        parts.append(_area([*lower, *upper], colour))
    for x, step in zip(across, steps, strict=True):
        words = way.first if step == 0 else f"{step:g}"
        anchor = "start" if step == 0 else "middle"
        parts.append(_text(x, top + height + 15, words, size=10, anchor=anchor, fill=SOFT))
    parts.append(_text(left, top + height + 31, way.unit, size=11, fill=SOFT))
    wrong = 100 * shares[:, 2]
    parts.append(
        _text(left, top + height + 47, f"wrong at most {wrong.max():.2g} %", size=11, fill=WRONG)
    )
    return "".join(parts)


def _share(value: float) -> str:
    return f"{100 * value:g} %"


def _risk(box: Box, found: "dict[str, list[SquareResults]]") -> str:
    """Returns the share of wrong among answered squares by the share of answered squares."""
    left, top, width, height = box.left, box.top, box.width, box.height
    parts = [
        _text(left, top - 26, "Risk against coverage", size=15, weight=600),
        _text(left, top - 9, "each answered square is at least as sure as those left open",
              size=11, fill=SOFT),
    ]  # fmt: skip
    lowest = np.log10(LOWEST)

    def place(cover: float, risk: float) -> tuple[float, float]:
        height_share = np.log10(max(risk, LOWEST)) / lowest
        return left + width * cover, top + height * min(1.0, float(height_share))

    for power in range(0, round(lowest) - 1, -1):
        y = top + height * power / lowest
        parts.append(_line([(left, y), (left + width, y)], GRID))
        label = "none" if power == round(lowest) else _share(10.0**power)
        parts.append(_text(left - 8, y + 4, label, size=11, anchor="end", fill=SOFT))
    for cover in (0, 0.25, 0.5, 0.75, 1):
        x = left + width * cover
        parts.append(_line([(x, top), (x, top + height)], GRID))
        label = f"{100 * cover:.0f} %"
        parts.append(_text(x, top + height + 16, label, size=11, anchor="middle", fill=SOFT))
    for k, (name, steps) in enumerate(found.items()):
        total = type(steps[0])()
        for squares in steps[1:]:
            total.add(squares)
        covers, risks = total.risk()
        thin = np.unique(np.linspace(0, len(covers) - 1, 600).astype(int))
        line = [place(covers[i], risks[i]) for i in thin]
        parts.append(_line(line, LINES[name], 2))
        x = left + 12 + (k % 3) * 70
        y = top + 18 + (k // 3) * 17
        parts.append(_line([(x, y - 4), (x + 14, y - 4)], LINES[name], 3))
        parts.append(_text(x + 19, y, name, size=11))
    words = "share of squares answered, all steps of a worsening together"
    parts.append(_text(left, top + height + 36, words, size=11, fill=SOFT))
    parts.append(
        _text(left - 58, top + height / 2, "wrong among the answered", size=11,
              anchor="middle", fill=SOFT, turn=-90)
    )  # fmt: skip
    return "".join(parts)


def _odds(box: Box, everything: "SquareResults") -> str:
    """Returns actual by claimed error probability, both logarithmic, with 95 % Wilson intervals."""
    left, top, width, height = box.left, box.top, box.width, box.height
    parts = [
        _text(left, top - 26, "Are the odds kept?", size=15, weight=600),
        _text(left, top - 9, "below the line: more often right than claimed", size=11, fill=SOFT),
    ]
    lowest = -6.0

    def at(value: float, side: float) -> float:
        return side * min(1.0, float(np.log10(max(value, 10**lowest)) / lowest))

    for power in range(0, round(lowest) - 1, -1):
        x, y = left + width * (1 - power / lowest), top + height * power / lowest
        parts.append(_line([(left, y), (left + width, y)], GRID))
        parts.append(_line([(x, top), (x, top + height)], GRID))
        label = _share(10.0**power)
        parts.append(_text(left - 8, y + 4, label, size=11, anchor="end", fill=SOFT))
        parts.append(_text(x, top + height + 16, label, size=11, anchor="middle", fill=SOFT))
    parts.append(_line([(left, top + height), (left + width, top)], SOFT, 1.2, dash="4 4"))
    for claim, count, wrong in everything.calibration():
        low, high = _wilson(wrong, count)
        x = left + width - at(claim, width)
        ends = [(x, top + at(low, height)), (x, top + at(high, height))]
        parts.append(_line(ends, LINES["dark"], 2))
        y = top + at(wrong / count, height)
        full = LINES["dark"] if wrong else "#fff"
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{full}" '
            f'stroke="{LINES["dark"]}" stroke-width="2"/>'
        )
        parts.append(_text(x + 8, y - 7, f"{count:,}", size=10, fill=SOFT))
    parts.append(
        _text(left, top + height + 36, "chance of error that the reader claims", size=11, fill=SOFT)
    )
    parts.append(
        _text(left - 66, top + height / 2, "errors there were", size=11, anchor="middle",
              fill=SOFT, turn=-90)
    )  # fmt: skip
    return "".join(parts)


def _wilson(wrong: int, count: int, deviations: float = 1.96) -> tuple[float, float]:
    """Returns the 95 % interval of a share (Wilson, JASA 22, 1927)."""
    share, over = wrong / count, deviations**2 / count
    middle = (share + over / 2) / (1 + over)
    half = deviations / (1 + over) * np.sqrt(share * (1 - share) / count + over / (4 * count))
    return max(0.0, middle - half), min(1.0, middle + half)
