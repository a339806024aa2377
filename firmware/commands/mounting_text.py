"""Places of cameras above a board: as text, as JSON, and for the page."""

from typing import Any

from firmware.cameras.mounting import (
    LEAST_SQUARE_PX,
    MODELS,
    USUAL_PITCH_MM,
    BoardSize,
    MountingPlan,
    plan_mounting,
)
from web.presentation.mounting_view import CameraMounting


def usual_mountings() -> tuple[CameraMounting, ...]:
    """Returns the places of every camera above the boards that are sold."""
    return tuple(
        _mounting(plan_mounting(model, BoardSize.usual(squares)))
        for squares in USUAL_PITCH_MM
        for model in MODELS.values()
    )


def _mounting(plan: MountingPlan) -> CameraMounting:
    return CameraMounting(
        camera=plan.camera.key,
        title=plan.camera.title,
        squares=plan.board.squares,
        pitch_mm=plan.board.pitch_mm,
        rim_mm=plan.board.rim_mm,
        height_mm=plan.height_mm,
        mast_mm=plan.mast_mm,
        arm_mm=plan.arm_mm,
        view_mm=plan.view_mm,
        square_px=plan.square_px,
        corner_deg=plan.corner_deg,
        is_coarse=plan.square_px < LEAST_SQUARE_PX,
    )


def facts(plan: MountingPlan) -> dict[str, Any]:
    """Returns a plan as JSON."""
    return {
        "camera": plan.camera.key,
        "title": plan.camera.title,
        "pictures": list(plan.pictures),
        "height_mm": round(plan.height_mm, 1),
        "mast_mm": round(plan.mast_mm, 1),
        "arm_mm": round(plan.arm_mm, 1),
        "view_mm": [round(side, 1) for side in plan.view_mm],
        "view_deg": [round(angle, 1) for angle in plan.angles_deg],
        "square_px": round(plan.square_px, 2),
        "corner_deg": round(plan.corner_deg, 1),
        "warnings": list(plan.warnings),
        "source": plan.camera.source,
    }


def described(plan: MountingPlan) -> str:
    """Returns a plan as lines for people."""
    (width, height), (across, down) = plan.view_mm, plan.angles_deg
    size = f"{plan.pictures[0]}x{plan.pictures[1]}"
    mast = f"{plan.mast_mm / 10:.1f} cm above the table, {plan.arm_mm / 10:.1f} cm from the middle"
    view = f"{width / 10:.1f} x {height / 10:.1f} cm ({across:.0f} x {down:.0f} degrees)"
    lines = [
        f"{plan.camera.key}: {plan.camera.title}",
        f"  height        {plan.height_mm / 10:.1f} cm from the lens to the squares",
        f"  mast          {mast} of the board",
        f"  field of view {view}",
        f"  a square      {plan.square_px:.1f} pixels in pictures of {size}",
        f"  corner        {plan.corner_deg:.0f} degrees from straight down",
    ]
    return "\n".join([*lines, *(f"  warning: {one}" for one in plan.warnings)])
