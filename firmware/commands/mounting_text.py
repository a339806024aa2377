"""Places of cameras above a board, as text and as JSON."""

from typing import Any

from firmware.cameras.mounting import MountingPlan


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
