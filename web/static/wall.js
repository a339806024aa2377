// Turns the pages of lists that are longer than the screen on the wall.
"use strict";
(() => {
  const PAGE_MS = 10000;
  const pages = new Map();

  function show(place) {
    const list = place.querySelector(".turning");
    if (!list) return;
    const wide = list.clientWidth + parseFloat(getComputedStyle(list).columnGap || "0");
    const count = Math.max(1, Math.ceil((list.scrollWidth + wide - list.clientWidth) / wide - 0.02));
    const page = (pages.get(place.id) || 0) % count;
    list.scrollLeft = page * wide;
    const text = count > 1 ? `${page + 1} / ${count}` : "";
    const label = place.querySelector(".pages");
    if (label && label.textContent !== text) label.textContent = text;
  }

  const places = document.querySelectorAll("[data-turning]");
  for (const place of places) {
    // A newer list begins where the older one was.
    new MutationObserver(() => show(place)).observe(place, { childList: true });
    show(place);
  }
  setInterval(() => {
    for (const place of places) {
      pages.set(place.id, (pages.get(place.id) || 0) + 1);
      show(place);
    }
  }, PAGE_MS);
  addEventListener("resize", () => places.forEach(show));
})();
