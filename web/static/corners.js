// Live picture with the four corners of the board to drag, by finger, mouse or arrow keys.
"use strict";
(() => {
  const place = document.getElementById("corners");
  if (!place) return;
  const picture = place.querySelector("img");
  const outline = place.querySelector("polygon");
  const handles = [...place.querySelectorAll(".corner")];
  const form = document.getElementById("calibrate");
  let at = [[0.2, 0.15], [0.8, 0.15], [0.8, 0.85], [0.2, 0.85]];
  let touched = false;
  const clamp = (value) => Math.min(1, Math.max(0, value));

  function draw() {
    handles.forEach((handle, number) => {
      handle.style.left = `${100 * at[number][0]}%`;
      handle.style.top = `${100 * at[number][1]}%`;
    });
    outline.setAttribute("points", at.map(([x, y]) => `${x},${y}`).join(" "));
    form.elements.corners.value = at.flat().map((value) => value.toFixed(5)).join(",");
  }

  handles.forEach((handle, number) => {
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      touched = true;
      event.preventDefault();
      handle.focus();
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const box = place.getBoundingClientRect();
      at[number] = [
        clamp((event.clientX - box.left) / box.width),
        clamp((event.clientY - box.top) / box.height),
      ];
      draw();
    });
    handle.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      const way = step[event.key];
      if (!way) return;
      event.preventDefault();
      touched = true;
      const far = event.shiftKey ? 0.02 : 0.002;
      at[number] = [clamp(at[number][0] + far * way[0]), clamp(at[number][1] + far * way[1])];
      draw();
    });
  });

  // The corners start where the table found the board, until somebody moves one.
  const setup = document.getElementById("setup");
  function begin() {
    const found = (setup.querySelector("[data-corners]")?.dataset.corners || "").split(",").map(Number);
    if (touched || found.length !== 8) return;
    at = [0, 2, 4, 6].map((one) => found.slice(one, one + 2));
    draw();
  }
  new MutationObserver(begin).observe(setup, { childList: true, subtree: true });

  form.querySelector("[value=calibrate]").hidden = false;
  picture.onload = () => setTimeout(() => (picture.src = `/live.jpg?${Date.now()}`), 500);
  picture.onerror = () => setTimeout(() => (picture.src = `/live.jpg?${Date.now()}`), 2000);
  draw();
  begin();
})();
