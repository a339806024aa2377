"""The set-up of a table in steps. GET only: its commands are those of the arbiter."""

from flask import Flask, abort, redirect
from flask.typing import ResponseReturnValue

from web.presentation.setup_view import STEPS, first_open, steps_of, task_of
from web.views.arbiter import arbiter_page
from web.views.context import ViewContext


def add_routes(app: Flask, context: ViewContext) -> None:
    """Adds the routes to the application."""

    def setup() -> ResponseReturnValue:
        """Leads to the first step that is not done."""
        if not context.phones.is_known():
            return arbiter_page(context, "arbiter.html")  # which asks it to wait or to be paired
        return redirect(f"/arbiter/setup/{first_open(context.link.news.page)}", 303)

    def step(code: str) -> ResponseReturnValue:
        if code not in STEPS:
            abort(404)
        page = context.link.news.page
        private = None if page is None else page.private
        steps = STEPS if private is None else steps_of(private.setup)
        squares = page.size if page is not None and code == "picture" else 0
        at = steps.index(code) if code in steps else 0
        return arbiter_page(
            context,
            "setup.html",
            step=code,
            task=task_of(code, None if private is None else private.setup),
            steps=steps,
            before=steps[at - 1] if at else None,
            after=steps[at + 1] if at + 1 < len(steps) else None,
            mountings=[one for one in context.mountings if one.squares == squares],
        )

    app.add_url_rule("/arbiter/setup", "setup", setup)
    app.add_url_rule("/arbiter/setup/<code>", "setup_step", step)
