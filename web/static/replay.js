// Steps through a past game without reloading the page, and plays it; without this script the
// links and the slider's button do the steps.
"use strict";
(() => {
  const STEP_MS = 1200;
  const place = document.getElementById("replay");
  const slider = document.getElementById("slider");
  const player = document.getElementById("play");
  const list = place.querySelector(".lines");
  const last = Number(place.dataset.last);
  let asked = 0;
  let playing = 0;

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
    const fresh = new DOMParser().parseFromString(text, "text/html");
    for (const part of place.querySelectorAll("[data-part]")) {
      part.replaceChildren(...fresh.getElementById(part.id).childNodes);
    }
    place.dataset.at = fresh.getElementById("replay").dataset.at;
    const moved = fresh.getElementById("slider");
    slider.setAttribute("aria-valuetext", moved.getAttribute("aria-valuetext"));
    slider.value = moved.value;
    mark();
    history.replaceState(null, "", href);
    const again = held && place.querySelector(`[data-step=${held}]`);
    if (again) again.focus();
  }

  function mark() {
    if (!list) return;
    for (const old of list.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    const now = list.querySelector(`[data-step=at-${place.dataset.at}]`);
    if (!now) {
      list.scrollTop = place.dataset.at === "0" ? 0 : list.scrollHeight;
      return;
    }
    now.setAttribute("aria-current", "step");
    // The list alone scrolls, not the page.
    const row = now.getBoundingClientRect();
    const box = list.getBoundingClientRect();
    if (row.top < box.top) list.scrollTop -= box.top - row.top;
    else if (row.bottom > box.bottom) list.scrollTop += row.bottom - box.bottom;
  }

  function halt() {
    clearTimeout(playing);
    playing = 0;
    player.textContent = player.dataset.play;
  }

  function turn() {
    playing = setTimeout(async () => {
      await go(`?at=${Number(place.dataset.at) + 1}`);
      if (!playing) return;
      if (Number(place.dataset.at) < last) turn();
      else halt();
    }, STEP_MS);
  }

  async function play() {
    player.textContent = player.dataset.halt;
    playing = -1;
    if (Number(place.dataset.at) >= last) await go("?at=0");
    if (playing) turn();
  }

  player.hidden = false;
  player.addEventListener("click", () => (playing ? halt() : play()));

  // One request at a time, for the newest place of the slider.
  let wanted = null;
  let sliding = false;
  async function slide() {
    if (sliding) return;
    sliding = true;
    while (wanted !== null) {
      const at = wanted;
      wanted = null;
      await go(`?at=${at}`);
      if (wanted !== null) slider.value = wanted;
    }
    sliding = false;
  }
  slider.addEventListener("input", () => {
    halt();
    wanted = slider.value;
    slide();
  });

  place.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-step]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    halt();
    go(link.href);
  });

  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: "back-ply", ArrowRight: "next-ply", Home: "first-ply", End: "last-ply" };
    const link = place.querySelector(`[data-step=${step[event.key]}]`);
    if (!link || event.target.closest("input, select, textarea, details")) return;
    event.preventDefault();
    halt();
    go(link.href);
  });

  mark();
})();
