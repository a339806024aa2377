// Sends commands without reloading the page, and shows the replies.
"use strict";
(() => {
  const SHOWN_MS = 6000;
  const OPENED = ".confirm[open], .sure[open], .choices details[open]";
  const place = document.getElementById("reply");
  let hiding = 0;

  function say(sentence, fine) {
    clearTimeout(hiding);
    place.textContent = sentence;
    place.hidden = false;
    place.dataset.fine = String(fine);
    hiding = setTimeout(() => {
      place.hidden = true;
    }, SHOWN_MS);
  }

  async function ask(form, button) {
    const revision = document.body.dataset.revision;
    if (revision) form.elements.revision.value = revision;
    const fields = new URLSearchParams(new FormData(form, button));
    for (const one of document.querySelectorAll("button")) one.disabled = true;
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
      say(reply.said, answer.ok);
      form.elements.id.value = reply.id;
      if (answer.ok) done(form, reply);
      if (reply.code === "not-paired") location.reload();
    } catch {
      form.submit(); // the browser shows the error
    } finally {
      for (const one of document.querySelectorAll("button")) one.disabled = false;
    }
  }

  function done(form, reply) {
    for (const open of document.querySelectorAll(OPENED)) {
      open.open = false;
    }
    if (!form.elements.back) location.href = `/arbiter?reply=${reply.code}`;
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.action.endsWith("/arbiter/say")) return;
    event.preventDefault();
    ask(form, event.submitter);
  });

  // Without this script the link loads the page again, which closes every question.
  function cancel(question, event) {
    event.preventDefault();
    question.open = false;
    question.querySelector("summary").focus();
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-cancel]");
    if (link) cancel(link.closest("details"), event);
  });
  document.addEventListener("keydown", (event) => {
    const [last] = [...document.querySelectorAll("#controls details[open]")].slice(-1);
    if (event.key === "Escape" && last) cancel(last, event);
  });

  // Only one confirmation is open at a time.
  document.addEventListener(
    "toggle",
    (event) => {
      const opened = event.target;
      if (!opened.matches(".confirm, .sure, .choices details")) return;
      if (!opened.open) {
        for (const inner of opened.querySelectorAll("details[open]")) inner.open = false;
        return;
      }
      for (const other of document.querySelectorAll(OPENED)) {
        if (!other.contains(opened) && !opened.contains(other)) other.open = false;
      }
      if (!opened.matches(".confirm")) opened.scrollIntoView({ block: "nearest" });
    },
    true,
  );
})();
