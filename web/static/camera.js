// The camera of this phone: takes pictures, sends them one at a time, and opens the camera again
// after whatever closed it. A browser gives the camera to https pages and to this machine's own.
"use strict";
(() => {
  const SLOW_MS = 1000; // from one picture to the next while nothing changes
  const FAST_MS = 200; // while something does
  const LIVELY_MS = 3000; // for which the pictures stay quick after a change
  const PATIENCE_MS = 5000; // until a request counts as lost
  const RETRY_MS = 1000;
  const CHANGE = 4; // mean difference of the grey values of two small pictures, 0 to 255
  const WIDTH = 1280;
  const QUALITY = 0.7;
  const $ = (id) => document.getElementById(id);
  const words = $("camera").dataset;
  const video = $("video");
  const canvas = document.createElement("canvas");
  const small = document.createElement("canvas");
  small.width = 32;
  small.height = 24;
  const glance = small.getContext("2d", { willReadFrequently: true });
  let stream = null;
  let lock = null;
  let before = null;
  let lively = 0;
  let running = false;
  let stalled = 0;
  let shown = -1;
  let heard = [0, 0];

  function say(sentence, bad) {
    $("sentence").textContent = sentence;
    $("sentence").dataset.code = bad ? "refused" : "waiting";
    $("sentence").hidden = !sentence;
  }

  function remembered() {
    try {
      return localStorage.getItem("lens") || "";
    } catch {
      return "";
    }
  }

  function remember(lens) {
    try {
      localStorage.setItem("lens", lens);
    } catch {
      // no storage: the lens is chosen again next time
    }
  }

  // Whatever a browser promises may never come: a track may die before its first picture.
  function within(promise, ms) {
    let timer = 0;
    const late = new Promise((_, fail) => {
      timer = setTimeout(() => fail(new Error("late")), ms);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
  }

  async function open(lens = remembered(), isFirst = true) {
    close();
    const size = { width: { ideal: WIDTH }, height: { ideal: 720 }, frameRate: { ideal: 10 } };
    const which = lens ? { deviceId: { exact: lens } } : { facingMode: "environment" };
    let opened;
    try {
      opened = await navigator.mediaDevices.getUserMedia({ video: { ...size, ...which } });
    } catch (error) {
      if (!lens || error.name === "NotAllowedError") throw error;
      remember(""); // the lens is gone
      return open("", false);
    }
    close(); // another attempt may have been quicker
    stream = opened;
    const [track] = stream.getVideoTracks();
    video.srcObject = stream;
    await within(video.play(), PATIENCE_MS);
    await within(still(track), PATIENCE_MS);
    const main = await list(track);
    if (main && !lens && isFirst) {
      remember(main);
      return open(main, false);
    }
    $("view").hidden = $("choices").hidden = false;
  }

  function close() {
    if (stream) for (const track of stream.getTracks()) track.stop();
    stream = null;
  }

  // What the browser can lock stays as it is from now on: the lights of the board must not move it.
  async function still(track) {
    const able = track.getCapabilities ? track.getCapabilities() : {};
    const wanted = {};
    for (const key of ["focusMode", "exposureMode", "whiteBalanceMode"]) {
      if ((able[key] || []).includes("continuous")) wanted[key] = "continuous";
    }
    $("torch").hidden = !able.torch;
    await track.applyConstraints({ advanced: [wanted] }).catch(() => {});
  }

  // Lists the lenses; returns the main one at the back if the browser began with another, as with
  // the ultra-wide one, in which squares are small.
  async function list(track) {
    const all = (await navigator.mediaDevices.enumerateDevices()).filter((one) => one.kind === "videoinput");
    const now = track.getSettings().deviceId;
    $("lens").replaceChildren(
      ...all.map((one, at) => new Option(one.label || String(at + 1), one.deviceId, false, one.deviceId === now)),
    );
    $("lens").parentElement.hidden = all.length < 2;
    const rear = all.filter((one) => /back|rear|rück|背面/i.test(one.label));
    const usual = rear.filter((one) => !/ultra|tele|超広角|望遠/i.test(one.label));
    const [main] = usual.sort((one, other) => one.label.localeCompare(other.label));
    return main && main.deviceId !== now && rear.some((one) => one.deviceId === now) ? main.deviceId : "";
  }

  async function awake(on) {
    try {
      if (lock) await lock.release();
      lock = null;
      if (on && !document.hidden && "wakeLock" in navigator) lock = await navigator.wakeLock.request("screen");
    } catch {
      lock = null; // refused, for example to save the battery
    }
  }

  function changed() {
    glance.drawImage(video, 0, 0, small.width, small.height);
    const { data } = glance.getImageData(0, 0, small.width, small.height);
    let sum = 0;
    if (before) for (let at = 0; at < data.length; at += 4) sum += Math.abs(data[at + 1] - before[at + 1]);
    const differs = !before || sum / (data.length / 4) > CHANGE;
    before = data;
    return differs;
  }

  async function picture() {
    const [width, height] = [video.videoWidth, video.videoHeight];
    if (!width) return null;
    const scale = Math.min(1, WIDTH / Math.max(width, height));
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
  }

  // The table's time of its last answer, and when that was heard: how old a picture is at its
  // arrival follows without a clock that both share.
  function hear({ time }) {
    heard = [time, performance.now()];
  }

  // When it was taken, so that one which arrives late is known to be old.
  async function send(body, taken) {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const times = [performance.timeOrigin, taken, heard[0], Math.max(0, taken - heard[1])];
    const headers = { "Content-Type": "image/jpeg", "X-Taken": times.map(Math.round).join("-") };
    const answer = await fetch("/camera/picture", { method: "POST", body, signal, headers });
    if (answer.status === 409) return stop(words.twice, "begin");
    if (!answer.ok) throw new Error(answer.statusText);
    const seen = await answer.json();
    hear(seen);
    show(seen);
  }

  // A picture of a phone that is the camera no more ends its connection: so the table is asked.
  // Returns null while nobody can tell.
  async function isCamera() {
    try {
      const answer = await fetch("/camera/state", { signal: AbortSignal.timeout(PATIENCE_MS) });
      if (!answer.ok) return null;
      const state = await answer.json();
      hear(state);
      return state.camera;
    } catch {
      return null;
    }
  }

  function show(seen) {
    say(seen.sentence);
    $("found").setAttribute("points", seen.corners.map((one) => one.join(",")).join(" "));
  }

  function stop(sentence, next) {
    running = false;
    close();
    awake(false);
    say(sentence, true);
    $("view").hidden = $("choices").hidden = true;
    $("begin").hidden = next !== "begin";
    $("take").hidden = next !== "take";
  }

  function dead() {
    const track = stream && stream.getVideoTracks()[0];
    return !track || track.readyState === "ended";
  }

  async function turn(began) {
    // A track may claim to live and give no new frame after a call: only opening it helps.
    stalled = video.currentTime === shown ? stalled + 1 : 0;
    shown = video.currentTime;
    if (!document.hidden && (dead() || stalled > 5)) {
      await open();
      stalled = 0;
    }
    if (changed()) lively = began + LIVELY_MS;
    const body = stalled || dead() ? null : await picture();
    if (body) await send(body, began);
  }

  async function run() {
    stalled = 0;
    while (running) {
      const began = performance.now();
      try {
        await turn(began);
      } catch (error) {
        if (error.name === "NotAllowedError") return stop(words.refused, "begin");
        if ((await isCamera()) === false) return stop(words.other, "take");
        if (running) say(error.name === "NotReadableError" ? words.none : words.lost, true);
        await pause(RETRY_MS);
      }
      const due = began + (performance.now() < lively ? FAST_MS : SLOW_MS);
      await pause(due - performance.now());
    }
  }

  function pause(ms) {
    return new Promise((done) => setTimeout(done, Math.max(0, ms)));
  }

  async function begin() {
    if (running) return;
    running = true;
    $("begin").hidden = true;
    try {
      await open();
    } catch (error) {
      return stop(error.name === "NotAllowedError" ? words.refused : words.none, "begin");
    }
    await awake(true);
    run();
  }

  // A link from the plain page brings no cookie, and a table may be away: so the table is asked.
  async function start() {
    let known = false;
    while (!known) {
      const answer = await isCamera();
      if (answer === false) return stop("", "take");
      known = answer === true;
      if (!known) {
        say(words.lost, true);
        await pause(RETRY_MS);
      }
    }
    begin();
  }

  const secure = window.isSecureContext && navigator.mediaDevices;
  if (!secure) {
    const { tls } = document.body.dataset;
    $("warned").hidden = !tls;
    const agent = navigator.userAgent;
    const browser = /Firefox|FxiOS/.test(agent) ? "firefox" : /Chrome|CriOS/.test(agent) ? "chrome" : "safari";
    $(browser).open = true;
    if (tls) $("secure").href = `https://${location.hostname}:${tls}/camera${location.hash}`;
    else $("camera").hidden = false;
    $("begin").hidden = true;
    if (!tls) say(words.blocked, true);
    return;
  }
  $("camera").hidden = false;
  $("begin").hidden = true;
  $("begin").addEventListener("click", begin);
  $("lens").addEventListener("change", () => {
    remember($("lens").value);
    close();
  });
  $("torch").addEventListener("click", async () => {
    const on = $("torch").getAttribute("aria-pressed") !== "true";
    await stream.getVideoTracks()[0].applyConstraints({ advanced: [{ torch: on }] }).catch(() => {});
    $("torch").setAttribute("aria-pressed", String(on));
  });
  document.addEventListener("visibilitychange", () => awake(running));
  start();
})();
