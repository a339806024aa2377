// Replaces fragments by newer ones from the server, which makes all markup. Without this script
// the page reloads itself instead.
"use strict";

// Tells `changed` every five seconds, and at each change, how many tabs of the browser are seen and
// older than this one.
const seenTabs = (name, changed) => {
  const HERE_MS = 5000;
  const GONE_MS = 16000; // after which a tab that says nothing was closed
  const own = `${Math.round(performance.timeOrigin)} ${Math.random()}`; // older tabs come first
  const tabs = new Map();
  const channel = "BroadcastChannel" in window ? new BroadcastChannel(name) : null;
  const tell = (here) => channel && channel.postMessage({ id: own, here });
  const count = () => changed([...tabs.keys()].filter((id) => id < own).length);

  function enter() {
    tell(!document.hidden);
    count();
  }

  if (channel) {
    channel.onmessage = ({ data }) => {
      if (data.here && !tabs.has(data.id) && !document.hidden) tell(true);
      if (data.here) tabs.set(data.id, performance.now());
      else tabs.delete(data.id);
      count();
    };
  }
  setInterval(() => {
    const now = performance.now();
    for (const [id, at] of tabs) if (now - at > GONE_MS) tabs.delete(id);
    if (!document.hidden) enter();
  }, HERE_MS);
  document.addEventListener("visibilitychange", enter);
  addEventListener("pagehide", () => tell(false));
  addEventListener("pageshow", (event) => event.persisted && enter());
  enter();
};

// The news of a page: by a stream, or by asking every two seconds where none is to be had.
// A browser opens six connections to a host for all its tabs. So only the first tabs that are seen
// hold a stream, the others ask, and those that are hidden do neither.
const newsFeed = ({ events, fragments, patience, take, heard, lost }) => {
  const POLL_MS = 2000; // a table that stands is said within 5 s, see SILENCE_S of the server
  const RETRY_MS = 12000; // and until the tabs are counted next
  const STREAMS = 4; // pictures, questions and answers need the other connections
  let source = null;
  let asking = 0;
  let retry = 0;
  let etag = "";
  let heardAt = performance.now();

  function stop() {
    if (source) source.close();
    source = null;
    asking = 0;
    clearTimeout(retry);
    retry = 0;
  }

  function listen() {
    stop();
    heardAt = performance.now();
    source = new EventSource(events());
    source.onmessage = (event) => {
      heardAt = performance.now();
      take(JSON.parse(event.data), "live");
    };
    source.addEventListener("alive", () => {
      heardAt = performance.now();
      heard("live");
    });
    source.onerror = () => {
      // Closed: no place is free, or something between answers. After a broken connection the
      // browser connects again by itself.
      if (!source || source.readyState !== EventSource.CLOSED) return lost();
      ask();
      retry = setTimeout(() => (retry = 0), RETRY_MS);
    };
  }

  function ask() {
    stop();
    etag = ""; // after a pause all is news, as it is by a stream
    asking = Math.random();
    poll(asking);
  }

  async function poll(turn) {
    try {
      const headers = etag ? { "If-None-Match": etag } : {};
      const answer = await fetch(fragments(), { headers, cache: "no-store" });
      const news = answer.status === 200 ? await answer.json() : null;
      if (asking !== turn) return; // the news of a stream are newer
      if (news) {
        etag = answer.headers.get("ETag") || "";
        take(news, "polling");
      } else if (answer.status === 304) heard("polling");
      else lost();
    } catch {
      if (asking === turn) lost();
    }
    if (asking === turn) setTimeout(() => asking === turn && poll(turn), POLL_MS);
  }

  function choose(before) {
    if (document.hidden) return stop();
    if (source && performance.now() - heardAt > patience) {
      stop();
      lost();
    }
    if (before >= STREAMS) return asking || ask();
    if (!source && !retry) listen();
  }

  addEventListener("pagehide", stop);
  seenTabs("tabs", choose);
};

(() => {
  const AWAY_MS = 1500; // of the table, which the server takes for away after 2.5 s
  const FRAME_MS = 120;
  const $ = (id) => document.getElementById(id);

  const body = document.body;
  const feed = body.dataset.feed; // of an overlay and of spectators, who have nothing to touch
  const query = () => feed ? location.search : `?for=${body.dataset.for || "watcher"}`;
  const prefix = feed === "/overlay/" ? "overlay-" : "";
  const silenceMs = Number(body.dataset.patience || (feed ? 10000 : 25000)); // it speaks every ten
  const markupOf = {};
  let frameAt = 0;
  let heardAt = performance.now(); // from the server, which may itself not hear from the table
  let currentAt = 0; // when the page was up to date, by the clock of this device
  let woundAt = 0; // running clocks count on from the values in the page
  let silentAt = Infinity; // since when the table is silent, if it is known

  function showConnection(kind) {
    const place = $("connection");
    if (!place) return;
    const away = kind !== "lost" && body.dataset.connected === "false";
    const shown = away ? "away" : kind;
    if (place.dataset.connection === shown) return;
    place.dataset.connection = shown;
    place.textContent = place.dataset[shown];
    showStale();
  }

  function isStale() {
    if (!feed) return ["lost", "away"].includes($("connection").dataset.connection);
    const now = performance.now();
    return now - heardAt >= silenceMs || now - silentAt >= AWAY_MS;
  }

  // While nothing new comes, the page is greyed and says since when.
  function showStale() {
    const stale = isStale();
    if (stale === body.hasAttribute("data-stale")) return;
    body.toggleAttribute("data-stale", stale);
    if ($("mark")) $("mark").hidden = !stale;
    const place = $("stale");
    if (!place) return;
    place.hidden = !stale;
    const since = new Date(currentAt);
    const today = since.toDateString() === new Date().toDateString();
    const day = today ? {} : { day: "numeric", month: "short" };
    const format = { hour: "numeric", minute: "2-digit", ...day };
    const time = since.toLocaleString(document.documentElement.lang, format);
    place.textContent = stale ? place.dataset.text.replace("{time}", time) : "";
  }

  function heard(kind) {
    heardAt = performance.now();
    if (body.dataset.connected === "true") currentAt = Date.now();
    showConnection(kind);
  }

  function wind({ age, silent }) {
    const now = performance.now();
    woundAt = now - Number(age || 0);
    silentAt = silent === null || silent === "" ? Infinity : now - Number(silent);
    currentAt = Date.now() - Number(silent);
  }

  function take(news, kind) {
    const { fragments, age, silent, ...facts } = news;
    wind({ age, silent });
    heardAt = performance.now();
    // A newly placed piece fades in; one that was there when the page was loaded does not.
    body.classList.toggle("fresh", !feed && body.dataset.ply !== String(facts.ply));
    for (const [key, value] of Object.entries(facts)) body.dataset[key] = String(value);
    for (const [id, markup] of Object.entries(fragments)) {
      const place = $(prefix + id);
      if (!place || markupOf[id] === markup) continue; // a page may lack some fragments
      markupOf[id] = markup;
      place.innerHTML = markup;
      if (id === "camera") watchCamera();
      if (id === "evidence") awaitEvidence();
    }
    showConnection(kind);
    tick();
  }

  function tick() {
    showStale();
    if (body.hasAttribute("data-stale")) return; // clocks stand where they were
    const gone = performance.now() - woundAt;
    for (const clock of document.querySelectorAll(".time[data-up]")) {
      showTime(clock, Math.floor((Number(clock.dataset.up) + gone) / 1000));
    }
    for (const clock of document.querySelectorAll(".time[data-running]")) {
      const free = Number(clock.dataset.free || 0);
      const left = Number(clock.dataset.left) - Math.max(0, gone - free);
      showTime(clock, Math.ceil(Math.max(0, left) / 1000));
      clock.toggleAttribute("data-low", left < 30000);
    }
  }

  function showTime(clock, seconds) {
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const shown = parts[0] ? parts : parts.slice(1);
    const text = shown.map((part, at) => (at ? String(part).padStart(2, "0") : part)).join(":");
    if (clock.textContent !== text) clock.textContent = text;
    clock.toggleAttribute("data-long", text.length > 5);
  }

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

  wind(body.dataset);
  tick();
  setInterval(tick, 200);
  newsFeed({
    events: () => `${feed || "/"}events${query()}${feed ? "" : `&shown=${body.dataset.shown}`}`,
    fragments: () => `${feed || "/"}fragments.json${query()}`,
    patience: feed ? 2.5 * silenceMs : silenceMs,
    take,
    heard,
    lost: () => showConnection("lost"),
  });
  watchCamera();
  awaitEvidence();
})();
