// Editor of a position: touched squares of the board become lines of the text, which is submitted.
// Without this script people write the text themselves.
"use strict";
(() => {
  const form = document.getElementById("laying");
  if (!form) return;
  const place = document.getElementById("lay");
  const board = place.querySelector("svg");
  place.querySelector("table").remove(); // it does not follow the editor; the text does
  const text = form.elements.pieces;
  const isOne = "one" in form.dataset; // one piece is laid, beside those of the board
  const size = Number(place.dataset.size);
  const CELL = 20;
  const SVG = "http://www.w3.org/2000/svg";
  const inks = {};
  for (const one of form.querySelectorAll("[name=ink]")) inks[one.value] = one.dataset;

  const name = ([row, column]) => String.fromCharCode(97 + column) + (size - row);
  const square = (word) => [size - Number(word.slice(1)), word.charCodeAt(0) - 97];
  const same = (a, b) => a[0] === b[0] && a[1] === b[1];
  const touch = (a, b) => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) === 1;

  let pieces = [];
  let open = null; // the piece to which squares are added

  function read() {
    pieces = text.value
      .split("\n")
      .map((line) => (isOne && line.trim() ? `${form.elements.ink.value} ${line}` : line))
      .map((line) => line.replaceAll(",", " ").trim().split(/\s+/))
      .filter((words) => words[0] && inks[words[0].toUpperCase()])
      .map(([letter, ...words]) => ({ letter: letter.toUpperCase(), squares: words.map(square) }));
    open = isOne ? pieces[0] || null : null;
    draw();
  }

  function write() {
    text.value = pieces
      .map((one) => [...(isOne ? [] : [one.letter]), ...one.squares.map(name)].join(" "))
      .join("\n");
    draw();
  }

  const covered = isOne ? [...board.querySelectorAll(".piece > path:first-child")] : [];
  for (const old of isOne ? [] : board.querySelectorAll(".piece, .against, .fault, .attention, .way, .hinted, .culprit")) {
    old.remove();
  }
  const layer = board.appendChild(document.createElementNS(SVG, "g"));

  function part(kind, attributes) {
    const made = document.createElementNS(SVG, kind);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    layer.append(made);
    return made;
  }

  // Each piece is drawn twice, its rim below its face, so that no rim shows between its squares.
  function draw() {
    layer.replaceChildren();
    for (const one of pieces) {
      const ink = inks[one.letter];
      for (const rim of [true, false]) {
        const look = rim ? { fill: ink.edge, stroke: ink.edge, "stroke-width": 1.6 } : { fill: ink.ink };
        for (const [row, column] of one.squares) {
          const [x, y] = [column * CELL, row * CELL];
          part("rect", { x: x + 1.2, y: y + 1.2, width: 17.6, height: 17.6, rx: 3, ...look });
          if (one.squares.some((at) => same(at, [row, column + 1]))) {
            part("rect", { x: x + 14, y: y + 1.2, width: 12, height: 17.6, ...look });
          }
          if (one.squares.some((at) => same(at, [row + 1, column]))) {
            part("rect", { x: x + 1.2, y: y + 14, width: 17.6, height: 12, ...look });
          }
        }
      }
      const [row, column] = one.squares[0];
      const [x, y] = [column * CELL + 10, row * CELL + 13.9];
      part("text", { x, y, fill: ink.on, class: "letter" }).textContent = one.letter;
      if (one !== open) continue;
      for (const [row, column] of one.squares) {
        part("rect", { x: column * CELL + 3.5, y: row * CELL + 3.5, width: 13, height: 13, rx: 2, class: "open" });
      }
    }
  }

  function isCovered([row, column]) {
    const middle = new DOMPoint((column + 0.5) * CELL, (row + 0.5) * CELL);
    return covered.some((path) => path.isPointInFill(middle));
  }

  function lay(at) {
    if (isCovered(at)) return;
    const hit = pieces.find((one) => one.squares.some((other) => same(other, at)));
    if (hit) {
      if (hit === open && hit.squares.length > 1) {
        hit.squares = hit.squares.filter((other) => !same(other, at));
      } else {
        pieces = pieces.filter((one) => one !== hit);
        if (hit === open) open = null;
      }
      return write();
    }
    const letter = form.elements.ink.value;
    const grows = open && open.letter === letter && open.squares.length < 5;
    if (grows && open.squares.some((other) => touch(other, at))) open.squares.push(at);
    else {
      open = { letter, squares: [at] };
      pieces = isOne ? [open] : [...pieces, open];
    }
    write();
  }

  board.addEventListener("click", (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(
      board.getScreenCTM().inverse(),
    );
    const at = [Math.floor(point.y / CELL), Math.floor(point.x / CELL)];
    if (at.every((one) => one >= 0 && one < size)) lay(at);
  });
  const next = document.getElementById("next");
  if (next) {
    next.addEventListener("click", () => {
      open = null;
      draw();
    });
  }
  document.getElementById("clear").addEventListener("click", () => {
    pieces = [];
    open = null;
    write();
  });
  text.addEventListener("input", read);
  document.getElementById("hand").hidden = false;
  document.getElementById("text").open = false;
  read();
})();
