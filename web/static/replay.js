// Steps through a past game without reloading the page; without this script the links do.
"use strict";
(() => {
  const place = document.getElementById("replay");
  let asked = 0;

  async function go(href) {
    const number = ++asked;
    const held = document.activeElement && document.activeElement.dataset.step;
    let text;
    try {
      const answer = await fetch(href);
      if (!answer.ok) throw new Error(answer.statusText);
      text = await answer.text();
    } catch {
      location.href = href; // the browser shows the error
      return;
    }
    if (number !== asked) return; // a later request has replaced this one
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("replay");
    place.replaceChildren(...fresh.childNodes);
    Object.assign(place.dataset, fresh.dataset);
    history.replaceState(null, "", href);
    const again = held && place.querySelector(`[data-step=${held}]`);
    if (again) again.focus();
  }

  place.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-step]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(link.href);
  });

  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: "back-ply", ArrowRight: "next-ply", Home: "first-ply", End: "last-ply" };
    const link = place.querySelector(`[data-step=${step[event.key]}]`);
    if (!link || event.target.closest("input, select, textarea, details")) return;
    event.preventDefault();
    go(link.href);
  });
})();
