// The form that begins a game: shows what belongs to the choices, and keeps them on this device.
"use strict";
(() => {
  const form = document.getElementById("new");
  if (!form) return;
  const MOST_NAMES = 20;

  function stored(key, value) {
    try {
      if (value !== undefined) localStorage.setItem(key, JSON.stringify(value));
      return JSON.parse(localStorage.getItem(key));
    } catch {
      return null; // the browser has no storage, or another program wrote it
    }
  }

  const known = () => [stored("names")].flat().filter((one) => one && typeof one === "string");
  const fields = [...form.elements].filter((one) => one.matches("select, input:not([type=hidden])"));
  const typed = () => fields.filter((one) => one.dataset.named && !one.hidden).map((one) => one.value.trim());

  function suit() {
    const { mode, game, timing } = form.elements;
    const alone = mode.value === "puzzle";
    const people = alone ? 1 : Number(game.selectedOptions[0].dataset.people);
    const fits = {
      computer: mode.value === "computer",
      puzzle: alone,
      game: !alone,
      open: !alone && mode.value !== "computer",
      timing: !alone && timing.value !== "none",
      first: !alone && game.value === "duo",
      shared: people === 3,
    };
    for (const one of form.querySelectorAll("[data-when]")) one.hidden = !fits[one.dataset.when];
    for (const one of form.querySelectorAll("[data-person]")) one.hidden = Number(one.dataset.person) >= people;
    form.querySelector("#puzzle-why").textContent = form.elements.puzzle.selectedOptions[0].dataset.why;
    const named = fits.computer ? 1 : people;
    for (const one of form.querySelectorAll("[data-named]")) one.hidden = Number(one.dataset.named) >= named;
  }

  // A game like the last one begins with one tap. What the server shows again stays as it was typed.
  function restore(last) {
    for (const one of fields) {
      const value = last[one.name];
      if (one.type === "radio" || one.type === "checkbox") one.checked ||= value === one.value;
      else if (one.matches("input") || [...one.options].some((option) => option.value === value)) one.value = value ?? one.value;
    }
  }

  function offerNames() {
    form.querySelector("#known-names").replaceChildren(...known().map((one) => new Option(one, one)));
    form.querySelector("#forget-names").hidden = !known().length;
  }

  form.addEventListener("submit", () => {
    stored("names", [...new Set([...typed().filter(Boolean), ...known()])].slice(0, MOST_NAMES));
    const values = new FormData(form);
    stored("start", Object.fromEntries(fields.map((one) => [one.name, values.get(one.name)])));
  });
  form.querySelector("#forget-names").addEventListener("click", () => {
    stored("names", []);
    for (const one of form.querySelectorAll("[data-named]")) one.value = "";
    stored("start", { ...stored("start"), ...Object.fromEntries([0, 1, 2, 3].map((at) => [`name-${at}`, ""])) });
    offerNames();
  });
  form.addEventListener("change", suit);
  if (!("typed" in form.dataset)) restore(Object(stored("start")));
  offerNames();
  suit();
})();
