// Replaces fragments by newer ones from the server, which makes all markup. Without this script
// the page reloads itself instead.
"use strict";
(() => {
  const SILENCE_MS = 25000; // the server sends something every ten seconds
  const POLL_MS = 2000; // a table that stands is said within 5 s, see SILENCE_S of the server
  const RETRY_MS = 15000;
  const FRAME_MS = 120;
  const $ = (id) => document.getElementById(id);

  const role = document.body.dataset.for || "watcher";
  const markupOf = {};
  let source = null;
  let heardAt = 0;
  let polling = 0;
  let etag = "";
  let frameAt = 0;
  let currentAt = Date.now() - Number(document.body.dataset.silent); // when the page was up to date

  function showConnection(kind) {
    const away = kind !== "lost" && document.body.dataset.connected === "false";
    const shown = away ? "away" : kind;
    const place = $("connection");
    if (place.dataset.connection === shown) return;
    place.dataset.connection = shown;
    place.textContent = place.dataset[shown];
    showStale();
  }

  // While nothing new comes, the page is greyed and says since when.
  function showStale() {
    const stale = ["lost", "away"].includes($("connection").dataset.connection);
    const place = $("stale");
    document.body.toggleAttribute("data-stale", stale);
    if (!place) return;
    place.hidden = !stale;
    const since = new Date(currentAt);
    const today = since.toDateString() === new Date().toDateString();
    const day = today ? {} : { day: "numeric", month: "short" };
    const format = { hour: "numeric", minute: "2-digit", ...day };
    const time = since.toLocaleString(document.documentElement.lang, format);
    place.textContent = stale ? place.dataset.text.replace("{time}", time) : "";
  }

  // The phone has heard from the server, which may itself not hear from the table.
  function heard() {
    heardAt = Date.now();
    if (document.body.dataset.connected === "true") currentAt = heardAt;
  }

  function show(news, kind) {
    const { fragments, age, silent, ...facts } = news;
    currentAt = Date.now() - silent;
    wind(age);
    // A newly placed piece fades in; one that was there when the page was loaded does not.
    document.body.classList.toggle("fresh", document.body.dataset.ply !== String(facts.ply));
    for (const [key, value] of Object.entries(facts)) document.body.dataset[key] = String(value);
    for (const [id, markup] of Object.entries(fragments)) {
      const place = $(id);
      if (!place || markupOf[id] === markup) continue; // a page may lack some fragments
      markupOf[id] = markup;
      place.innerHTML = markup;
      if (id === "camera") watchCamera();
      if (id === "evidence") awaitEvidence();
    }
    tick();
    showConnection(kind);
  }

  function listen() {
    stop();
    heardAt = Date.now();
    source = new EventSource(`/events?for=${role}&shown=${document.body.dataset.shown}`);
    source.onmessage = (event) => {
      heardAt = Date.now();
      show(JSON.parse(event.data), "live");
    };
    source.addEventListener("alive", heard);
    source.onerror = () => {
      // Closed: too many phones hold a stream. After other errors the browser reconnects.
      if (source && source.readyState === EventSource.CLOSED) {
        stop();
        poll();
        setTimeout(listen, RETRY_MS);
      } else {
        showConnection("lost");
      }
    };
  }

  function stop() {
    if (source) source.close();
    source = null;
    clearTimeout(polling);
  }

  async function poll() {
    try {
      const headers = etag ? { "If-None-Match": etag } : {};
      const answer = await fetch(`/fragments.json?for=${role}`, { headers, cache: "no-store" });
      if (answer.status === 200) {
        etag = answer.headers.get("ETag") || "";
        show(await answer.json(), "polling");
      } else {
        if (answer.status === 304) heard();
        showConnection(answer.status === 304 ? "polling" : "lost");
      }
    } catch {
      showConnection("lost");
    }
    if (!source) polling = setTimeout(poll, POLL_MS);
  }

  // Running clocks count on from the values in the page.
  let woundAt = 0;
  function wind(age) {
    woundAt = performance.now() - Number(age);
  }

  function tick() {
    if (document.body.hasAttribute("data-stale")) return;
    const gone = performance.now() - woundAt;
    for (const clock of document.querySelectorAll(".time[data-up]")) {
      showTime(clock, Math.floor((Number(clock.dataset.up) + gone) / 1000));
    }
    for (const clock of document.querySelectorAll(".time[data-running]")) {
      const left = Number(clock.dataset.left) - Math.max(0, gone - Number(clock.dataset.free));
      const text = showTime(clock, Math.ceil(Math.max(0, left) / 1000));
      clock.toggleAttribute("data-low", left < 30000);
      clock.toggleAttribute("data-long", text.length > 5);
    }
  }

  function showTime(clock, seconds) {
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const shown = parts[0] ? parts : parts.slice(1);
    const text = shown.map((part, at) => (at ? String(part).padStart(2, "0") : part)).join(":");
    if (clock.textContent !== text) clock.textContent = text;
    return text;
  }
  wind(document.body.dataset.age);
  setInterval(tick, 200);

  // Requests a picture when the last one has arrived, so that a slow phone gets fewer.
  function watchCamera() {
    const picture = $("live");
    if (!picture) return;
    const next = (delay) =>
      setTimeout(() => {
        if (!picture.isConnected) return;
        if (document.hidden) return next(1000);
        frameAt = Date.now();
        picture.src = `/live.jpg?${frameAt}`;
      }, delay);
    picture.onload = () => next(Math.max(0, FRAME_MS - (Date.now() - frameAt)));
    picture.onerror = () => next(2000);
    next(0);
  }

  // A picture of a move is written shortly after the move; a missing one is hidden.
  function awaitEvidence() {
    for (const picture of document.querySelectorAll("#evidence img")) {
      let left = 3;
      const address = picture.src;
      picture.onload = () => (picture.closest("figure").hidden = false);
      picture.onerror = () => {
        picture.closest("figure").hidden = true;
        if (left-- > 0) setTimeout(() => (picture.src = `${address}&${left}`), 700);
      };
      if (picture.complete && !picture.naturalWidth) picture.onerror();
    }
  }

  setInterval(() => {
    if (source && Date.now() - heardAt > SILENCE_MS) {
      showConnection("lost");
      listen();
    }
  }, 5000);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && Date.now() - heardAt > SILENCE_MS) listen();
  });
  addEventListener("pagehide", stop);
  addEventListener("pageshow", (event) => {
    if (event.persisted) listen();
  });

  showStale();
  listen();
  watchCamera();
  awaitEvidence();
})();
