// Sends commands without reloading the page, and shows the replies.
"use strict";
(() => {
  const SHOWN_MS = 6000;
  const place = document.getElementById("reply");
  const fresh = document.getElementById("new");
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
    for (const open of document.querySelectorAll(".confirm[open], .sure[open], .choices details[open]")) {
      open.open = false;
    }
    if (form === fresh) keepNames(form);
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
      const kinds = [".confirm", ".sure", ".choices details:not(.sure)"];
      const kind = kinds.find((one) => opened.matches(one));
      for (const other of document.querySelectorAll(`${kind}[open]`)) {
        if (other !== opened) other.open = false;
      }
      if (kind === ".sure") opened.scrollIntoView({ block: "nearest" });
    },
    true,
  );

  // Names that were typed here before are offered again; they stay on this device.
  const MOST_NAMES = 20;
  const names = {
    get: () => {
      try {
        const found = JSON.parse(localStorage.getItem("names"));
        return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
      } catch {
        return []; // the browser has no storage, or another program wrote it
      }
    },
    set: (list) => {
      try {
        localStorage.setItem("names", JSON.stringify(list.slice(0, MOST_NAMES)));
      } catch {
        // no storage, as above
      }
    },
  };

  function offerNames(form) {
    const known = names.get();
    form.querySelector("#known-names").replaceChildren(...known.map((one) => new Option(one, one)));
    form.querySelector("#forget-names").hidden = !known.length;
  }

  function keepNames(form) {
    const fields = [...form.querySelectorAll("[data-person]:not([hidden]) input")];
    const typed = fields.map((one) => one.value.trim()).filter(Boolean);
    names.set([...new Set([...typed, ...names.get()])]);
  }

  if (fresh) {
    offerNames(fresh);
    fresh.querySelector("#forget-names").addEventListener("click", () => {
      names.set([]);
      offerNames(fresh);
    });
    const suit = () => {
      const people = Number(fresh.elements.game.selectedOptions[0].dataset.people);
      const game = fresh.elements.game.value;
      for (const one of fresh.querySelectorAll("[data-person]")) {
        one.hidden = Number(one.dataset.person) >= people;
      }
      fresh.querySelector("[data-when=first]").hidden = game !== "duo";
      fresh.querySelector("[data-when=shared]").hidden = people !== 3;
      if (game !== "duo") fresh.elements.first.value = "";
      for (const one of fresh.querySelectorAll("[data-when=game], [data-when=puzzle]")) {
        one.hidden = (one.dataset.when === "puzzle") !== (people === 1);
      }
      fresh.querySelector("[data-when=timing]").hidden = people === 1 || fresh.elements.timing.value === "none";
    };
    for (const preset of fresh.querySelectorAll("[data-fields]")) {
      preset.addEventListener("click", (event) => {
        event.preventDefault();
        const values = Object.entries(JSON.parse(preset.dataset.fields));
        for (const [name, value] of values) fresh.elements[name].value = value;
        for (const one of fresh.querySelectorAll("[data-fields]")) {
          one.toggleAttribute("aria-current", one === preset);
          if (one === preset) one.setAttribute("aria-current", "true");
        }
        fresh.querySelector("#preset").textContent = preset.dataset.why;
        suit();
      });
    }
    fresh.addEventListener("change", suit);
    suit();
  }
})();
