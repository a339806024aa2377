// Functions of the device: speech of moves, sounds, a screen that stays on, a picture to share.
// A page over plain http may do less than one over https; what is missing is said, not hidden.
"use strict";
(() => {
  const memory = {
    get: (key, usual) => {
      try {
        return (localStorage.getItem(key) || usual) === "on";
      } catch {
        return usual === "on"; // the browser has no storage
      }
    },
    set: (key, on) => {
      try {
        localStorage.setItem(key, on ? "on" : "off");
      } catch {
        // no storage, as above: the choice is lost when the page is closed
      }
    },
  };

  const device = document.getElementById("device");
  const announcement = document.getElementById("announcement");

  function offer(key, able, change) {
    const label = device.querySelector(`[data-device=${key}]`);
    const missing = device.querySelector(`[data-missing=${key}]`);
    label.hidden = !able;
    if (missing) missing.hidden = able;
    if (!able) return;
    const box = label.querySelector("input");
    box.checked = memory.get(key, label.dataset.usual);
    box.addEventListener("change", () => {
      memory.set(key, box.checked);
      change(box.checked, true);
    });
    if (box.checked) change(true, false);
  }

  function say(text) {
    const words = new SpeechSynthesisUtterance(text);
    words.lang = document.documentElement.lang;
    speechSynthesis.cancel();
    speechSynthesis.speak(words);
  }

  let listening = null;
  function aloud(on, now) {
    if (listening) listening.disconnect();
    listening = null;
    if (!on) return speechSynthesis.cancel();
    if (!announcement) return;
    listening = new MutationObserver(() => say(announcement.textContent));
    listening.observe(announcement, { childList: true, characterData: true, subtree: true });
    if (now) say(announcement.textContent); // a phone speaks only after a touch
  }

  // A browser sounds only after a touch, for which the script waits.
  function sounds(on, now) {
    if (!on || !announcement) return;
    const load = () => import("/static/sounds.js");
    if (now) load().then(({ sample }) => sample());
    else for (const touch of ["pointerup", "keydown"]) addEventListener(touch, load, { once: true });
  }

  let lock = null;
  async function awake(on) {
    try {
      if (on && !document.hidden) lock = await navigator.wakeLock.request("screen");
      else if (lock) await lock.release();
    } catch {
      lock = null; // refused, for example to save the battery
    }
  }

  if (device) {
    device.hidden = false;
    const voice = "speechSynthesis" in window && "SpeechSynthesisUtterance" in window;
    offer("aloud", voice, aloud);
    offer("sounds", "AudioContext" in window, sounds);
    offer("awake", "wakeLock" in navigator, awake);
    device.querySelector("[data-missing=install]").hidden = window.isSecureContext;
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && "wakeLock" in navigator && memory.get("awake")) awake(true);
    });
  }

  // The share sheet takes a file only in a secure context, and some seconds after a touch; else the
  // link leads to the picture.
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[data-share]");
    if (!link || link.ariaBusy || !navigator.canShare) return;
    event.preventDefault();
    link.ariaBusy = true;
    let answer;
    // A moving picture is made first.
    while ((answer = await fetch(link.href)).status === 503) await new Promise((go) => setTimeout(go, 1000));
    const picture = await answer.blob();
    // The last argument says the type.
    await navigator.share({ files: [new File([picture], link.href.split("/").pop(), picture)] }).catch((error) => {
      if (error.name !== "AbortError") location.href = link.href;
    });
    link.ariaBusy = null;
  });

  // Not `navigator.clipboard`, which a page over plain http does not have.
  for (const button of document.querySelectorAll("[data-copied]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      button.previousElementSibling.select();
      if (document.execCommand("copy")) button.textContent = button.dataset.copied;
    });
  }

  // A touch outside a menu closes it.
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
})();
