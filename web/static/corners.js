// Live picture with the four corners of the board to drag, by finger, mouse or arrow keys. A
// magnifier shows the place under the finger.
"use strict";
(() => {
  const place = document.getElementById("corners");
  if (!place) return;
  const ZOOM = 4;
  const picture = place.querySelector("img");
  const outline = place.querySelector("polygon");
  const loupe = place.querySelector(".loupe");
  const handles = [...place.querySelectorAll(".corner")];
  const form = document.getElementById("calibrate");
  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  let at = [[0.2, 0.15], [0.8, 0.15], [0.8, 0.85], [0.2, 0.85]];
  let touched = false;
  let looked = -1; // the corner in the magnifier
  let grabbed = [0, 0]; // from the finger to the corner, so that it does not jump
  const clamp = (value) => Math.min(1, Math.max(0, value));

  function draw() {
    handles.forEach((handle, number) => {
      handle.style.left = `${100 * at[number][0]}%`;
      handle.style.top = `${100 * at[number][1]}%`;
    });
    outline.setAttribute("points", at.map(([x, y]) => `${x},${y}`).join(" "));
    form.elements.corners.value = at.flat().map((value) => value.toFixed(5)).join(",");
    magnify();
  }

  function magnify() {
    loupe.hidden = looked < 0 || !picture.naturalWidth;
    if (loupe.hidden) return;
    const [x, y] = at[looked];
    loupe.dataset.side = x > 0.5 ? "left" : "right";
    const shown = loupe.getBoundingClientRect().width / ZOOM;
    const side = (shown * picture.naturalWidth) / place.clientWidth;
    const paper = loupe.getContext("2d");
    const { width } = loupe;
    paper.fillStyle = "#000";
    paper.fillRect(0, 0, width, width);
    const left = x * picture.naturalWidth - side / 2;
    const top = y * picture.naturalHeight - side / 2;
    paper.drawImage(picture, left, top, side, side, 0, 0, width, width);
    const pixel = ([u, v]) => [
      ((u * picture.naturalWidth - left) * width) / side,
      ((v * picture.naturalHeight - top) * width) / side,
    ];
    paper.lineWidth = 3;
    paper.strokeStyle = "#f5b83d";
    paper.beginPath();
    paper.moveTo(...pixel(at[(looked + 3) % 4]));
    paper.lineTo(...pixel(at[looked]));
    paper.lineTo(...pixel(at[(looked + 1) % 4]));
    paper.stroke();
  }

  function move(number, x, y) {
    touched = true;
    at[number] = [clamp(x), clamp(y)];
    draw();
  }

  handles.forEach((handle, number) => {
    const shares = (event) => {
      const box = place.getBoundingClientRect();
      return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    };
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      event.preventDefault();
      handle.focus();
      const [x, y] = shares(event);
      grabbed = [at[number][0] - x, at[number][1] - y];
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const [x, y] = shares(event);
      move(number, x + grabbed[0], y + grabbed[1]);
    });
    handle.addEventListener("keydown", (event) => {
      const way = STEPS[event.key];
      if (!way) return;
      event.preventDefault();
      const far = event.shiftKey ? 0.02 : 0.002;
      move(number, at[number][0] + far * way[0], at[number][1] + far * way[1]);
    });
    handle.addEventListener("focus", () => {
      looked = number;
      magnify();
    });
    handle.addEventListener("blur", () => {
      looked = -1;
      magnify();
    });
  });

  // The corners start where the table found the board, until somebody moves one.
  const states = document.getElementById("steps");
  function begin() {
    const found = (states.querySelector("[data-corners]")?.dataset.corners || "").split(",").map(Number);
    if (touched || found.length !== 8) return;
    at = [0, 2, 4, 6].map((one) => found.slice(one, one + 2));
    draw();
  }
  new MutationObserver(begin).observe(states, { childList: true, subtree: true });
  form.addEventListener("submit", () => {
    touched = false;
  });

  form.querySelector("[value=calibrate]").hidden = false;
  picture.onload = () => {
    magnify();
    setTimeout(() => (picture.src = `/live.jpg?${Date.now()}`), 500);
  };
  picture.onerror = () => setTimeout(() => (picture.src = `/live.jpg?${Date.now()}`), 2000);
  draw();
  begin();
})();
