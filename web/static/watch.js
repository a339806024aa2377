// Shows what a server streams, without anything to touch: an overlay, a screen on the wall, the
// pages of spectators. The server makes all markup; fragments go to elements of their names.
"use strict";
(() => {
  const LOST_MS = 10000; // then a small mark says so
  const AWAY_MS = 1500; // of the table, which the server takes for away after 2.5 s
  const SILENCE_MS = Number(document.body.dataset.patience || LOST_MS); // of the server
  const POLL_MS = 2000;
  const RETRY_MS = 15000;
  const body = document.body;
  const feed = body.dataset.feed;
  const prefix = feed === "/overlay/" ? "overlay-" : "";
  const mark = document.getElementById("mark");
  const markupOf = {};
  let source = null;
  let polling = 0;
  let heardAt = performance.now();
  let times = {};

  function take(news) {
    const { fragments, ...rest } = news;
    heard();
    const { age, silent, ...facts } = rest;
    times = { age, silent, at: heardAt };
    for (const [key, value] of Object.entries(facts)) body.dataset[key] = String(value);
    for (const [name, markup] of Object.entries(fragments)) {
      const place = document.getElementById(prefix + name);
      if (!place || markupOf[name] === markup) continue;
      markupOf[name] = markup;
      place.innerHTML = markup;
    }
    tick();
  }

  function heard() {
    heardAt = performance.now();
  }

  function address(name) {
    return feed + name + location.search;
  }

  function listen() {
    if (source) source.close();
    clearTimeout(polling);
    polling = 0;
    source = new EventSource(address("events"));
    source.onmessage = (event) => take(JSON.parse(event.data));
    source.addEventListener("alive", heard);
    source.onerror = () => {
      // Closed: no place is free, or something between answers. After a broken connection the
      // browser connects again by itself.
      if (source.readyState !== EventSource.CLOSED || polling) return;
      poll();
      setTimeout(listen, RETRY_MS);
    };
  }

  async function poll() {
    try {
      const answer = await fetch(address("fragments.json"), { cache: "no-store" });
      if (answer.ok) take(await answer.json());
    } catch {
      // the mark says so after a while
    }
    if (source.readyState === EventSource.CLOSED) polling = setTimeout(poll, POLL_MS);
  }

  function text(seconds) {
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const shown = parts[0] ? parts : parts.slice(1);
    return shown.map((part, at) => (at ? String(part).padStart(2, "0") : part)).join(":");
  }

  function show(clock, seconds) {
    const shown = text(seconds);
    if (clock.textContent !== shown) clock.textContent = shown;
    clock.toggleAttribute("data-long", shown.length > 5);
  }

  function tick() {
    const now = performance.now();
    const away = times.silent === null ? 0 : times.silent + now - times.at; // the table
    const lost = away >= AWAY_MS || now - heardAt >= SILENCE_MS;
    body.toggleAttribute("data-stale", lost);
    if (mark) mark.hidden = !lost;
    if (lost) return; // clocks stand where they were when the last news came
    const gone = now - times.at + (times.age || 0);
    for (const clock of document.querySelectorAll(".time[data-up]")) {
      show(clock, Math.floor((Number(clock.dataset.up) + gone) / 1000));
    }
    for (const clock of document.querySelectorAll(".time[data-running]")) {
      const left = Number(clock.dataset.left) - Math.max(0, gone - Number(clock.dataset.free || 0));
      show(clock, Math.ceil(Math.max(0, left) / 1000));
      clock.toggleAttribute("data-low", left < 30000);
    }
  }

  const { age, silent } = body.dataset;
  times = { age: Number(age), silent: silent ? Number(silent) : null, at: heardAt };
  setInterval(() => {
    if (source && performance.now() - heardAt > 2.5 * SILENCE_MS && !polling) listen();
  }, 5000);
  setInterval(tick, 200);
  addEventListener("pagehide", () => source && source.close());
  addEventListener("pageshow", (event) => event.persisted && listen());
  tick();
  listen();
})();
