// Sends the organiser's forms without loading the page again, and shows the replies.
"use strict";
(() => {
  const SHOWN_MS = 8000;
  const place = document.getElementById("reply");
  let hiding = 0;

  function say(sentence, fine, stays) {
    clearTimeout(hiding);
    place.textContent = sentence;
    place.hidden = false;
    place.dataset.fine = String(fine);
    if (stays) return;
    hiding = setTimeout(() => {
      place.hidden = true;
    }, SHOWN_MS);
  }

  async function ask(form, extra) {
    const revision = document.body.dataset.revision;
    if (revision && form.elements.revision) form.elements.revision.value = revision;
    const fields = new URLSearchParams(new FormData(form));
    for (const [name, value] of Object.entries(extra)) fields.set(name, value);
    const buttons = [...document.querySelectorAll("button:enabled")];
    for (const one of buttons) one.disabled = true;
    try {
      const answer = await fetch(form.action, {
        method: "POST",
        body: fields,
        headers: { Accept: "application/json" },
      });
      if (answer.headers.has("Refresh")) return location.reload();
      if (!(answer.headers.get("Content-Type") || "").startsWith("application/json")) {
        say(await answer.text(), false);
        return;
      }
      const reply = await answer.json();
      if (reply.id && form.elements.id) form.elements.id.value = reply.id;
      say(reply.said, answer.ok, reply.stays);
      if (answer.ok) done(form);
      if (reply.code === "not-paired") location.reload();
    } catch {
      say(document.getElementById("connection").dataset.lost, false);
    } finally {
      for (const one of buttons) one.disabled = false;
    }
  }

  function done(form) {
    for (const open of document.querySelectorAll(".confirm[open]")) open.open = false;
    if (form.dataset.clear !== undefined) form.reset();
    if (form.dataset.next === location.pathname) location.reload();
    else if (form.dataset.next) location.href = form.dataset.next;
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.say === undefined) return;
    event.preventDefault();
    const pressed = event.submitter;
    ask(form, pressed && pressed.name ? { [pressed.name]: pressed.value } : {});
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-cancel]");
    if (!link) return;
    event.preventDefault();
    link.closest("details").open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const open of document.querySelectorAll(".confirm[open]")) open.open = false;
  });
})();
