// What people at the table do besides the game: shows what the phone's seat may do, sends it without
// loading the page again, and tells now and then that the phone is still there.
"use strict";
(() => {
  const STAY_MS = 20000;
  const SHOWN_MS = 6000;
  const sections = ["club", "seats"].map((id) => document.getElementById(id)).filter(Boolean);
  const form = document.getElementById("club-act");
  if (!sections.length || !form) return;
  const all = (selector) => sections.flatMap((section) => [...section.querySelectorAll(selector)]);
  const message = document.createElement("p");
  message.className = "message";
  message.hidden = true;
  message.id = "club-reply";
  message.setAttribute("role", "status");
  sections[0].before(message);
  let hiding = 0;

  function show() {
    const phone = document.body.dataset.phone;
    const mine = new Set();
    for (const seat of all("[data-seat]")) {
      const own = phone !== "" && seat.dataset.phone === phone;
      const note = seat.querySelector("[data-note]");
      if (own) {
        mine.add(seat.dataset.seat);
        note.textContent = note.dataset.mine;
      }
      seat.toggleAttribute("data-own-seat", own);
    }
    for (const place of all("[data-own]")) {
      place.hidden = !place.dataset.own.split(" ").some((person) => mine.has(person));
    }
    for (const place of all("[data-seated]")) place.hidden = !mine.size;
  }

  function say(sentence, fine) {
    clearTimeout(hiding);
    message.textContent = sentence;
    message.dataset.fine = String(fine);
    message.hidden = false;
    hiding = setTimeout(() => (message.hidden = true), SHOWN_MS);
  }

  // Where a piece may go, until the board changes; of phones that are not paired, only the asker's.
  function mark(dots) {
    for (const old of document.querySelectorAll(".may-go")) old.remove();
    const board = document.querySelector("#board svg");
    for (const d of dots) board.insertAdjacentHTML("beforeend", `<path class="may-go" d="${d}"/>`);
  }

  async function send(fields, quiet) {
    try {
      const headers = { Accept: "application/json" };
      const answer = await fetch("/club", { method: "POST", body: fields, headers });
      if (answer.headers.has("Refresh")) return location.reload();
      const isJson = (answer.headers.get("Content-Type") || "").startsWith("application/json");
      const reply = isJson ? await answer.json() : { said: await answer.text() };
      if (reply.phone) document.body.dataset.phone = reply.phone;
      if (!quiet) say(reply.said, answer.ok);
      if (reply.dots) mark(reply.dots);
      show();
    } catch {
      if (!quiet) form.submit(); // the browser shows the error
    }
  }

  document.addEventListener("submit", (event) => {
    if (event.target !== form) return;
    event.preventDefault();
    send(new URLSearchParams(new FormData(form, event.submitter)), false);
  });
  for (const section of sections) new MutationObserver(show).observe(section, { childList: true });
  setInterval(() => {
    if (!document.body.dataset.phone || document.querySelector("main.play")) return;
    const fields = new URLSearchParams(new FormData(form));
    fields.set("act", "stay");
    send(fields, true);
  }, STAY_MS);
  show();
})();
