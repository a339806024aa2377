// Play at a simulated table: drag a piece from its tray onto the camera's picture, turn it, let it
// go. One message is sent for a gesture; the rest is seen by the camera, as at a real table.
"use strict";
(() => {
  const stage = document.getElementById("stage");
  if (!stage) return;
  const SVG = "http://www.w3.org/2000/svg";
  const PICTURE = [1280, 960]; // units of the drawing over the picture, of any number of pixels
  const MARGIN = 1.3; // squares around the board that are always in view
  const PICTURE_MS = 200;
  const STAY_MS = 20000;
  const TAP_PX = 7; // a pointer that has moved less has tapped
  const LIFT_PX = 64; // a piece is held this far above a finger, which would hide it
  const FORGET_MS = 6000; // a piece that was let go and has not arrived is drawn no longer
  const SHOWN_MS = 5000;
  const DEG = Math.PI / 180;
  const $ = (id) => document.getElementById(id);
  const main = document.querySelector("main.play");
  const overlay = $("overlay");
  const photo = $("photo");
  const layers = { field: $("field"), sight: $("sight"), landing: $("landing"), ghosts: $("ghosts") };

  let table = null;
  let mine = new Set(); // colours that this browser moves
  let crop = [0, 0, ...PICTURE]; // part of the picture in view: left, top, width, height
  let held = null; // the piece in the hand: colour, piece, shape, x, y, twist, from
  let waiting = []; // pieces that were let go and are not on the table yet
  const facing = new Map(); // shape of each piece in its tray, as it was turned last
  const pointers = new Map();
  let traysDrawn = ""; // what the trays show
  let inkChosen = 0; // of several colours, the one whose pieces are in the tray
  let turnBefore = null; // the colour to move when the trays were drawn last
  const isNarrow = matchMedia("(max-width: 39.99rem), (max-height: 32rem)"); // as in play.css
  // Switches: a piece lies straight; it waits for a button when it is let go; what is drawn
  const on = { tidy: stored("tidy") !== "off", adjust: stored("adjust") === "on", names: stored("names") === "on" };
  let isLeft = false; // for a new game: to load the page again for its news would cancel its form
  let places = []; // of the piece in the hand: shape, squares, those where it starts, sentence
  let pointed = []; // places that the guided tour points out, as in the messages

  function stored(key, value) {
    try {
      if (value !== undefined) localStorage.setItem(`play-${key}`, value);
      return localStorage.getItem(`play-${key}`);
    } catch {
      return null; // the browser has no storage
    }
  }

  function made(kind, attributes, parent) {
    const element = document.createElementNS(SVG, kind);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (parent) parent.append(element);
    return element;
  }

  // Places: squares of the board <-> units of the picture

  function inverse(m) {
    const [a, b, c, d, e, f, g, h, i] = m;
    const minors = [e * i - f * h, c * h - b * i, b * f - c * e, f * g - d * i, a * i - c * g,
      c * d - a * f, d * h - e * g, b * g - a * h, a * e - b * d];
    const size = a * minors[0] + b * minors[3] + c * minors[6];
    return minors.map((value) => value / size);
  }

  function mapped(m, x, y) {
    const w = m[6] * x + m[7] * y + m[8];
    return [(m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w];
  }

  function inPicture(x, y) {
    const [u, v] = mapped(table.view, x, y);
    return [u * PICTURE[0], v * PICTURE[1]];
  }

  function onBoard(event, lift = 0) {
    const box = overlay.getBoundingClientRect();
    const u = crop[0] + ((event.clientX - box.left) / box.width) * crop[2];
    const v = crop[1] + ((event.clientY - lift - box.top) / box.height) * crop[3];
    return mapped(inverse(table.view), u / PICTURE[0], v / PICTURE[1]);
  }

  // Shapes are lists of [row, column], the smallest of each being 0.

  function normalised(shape) {
    const top = Math.min(...shape.map(([row]) => row));
    const left = Math.min(...shape.map(([, column]) => column));
    return shape
      .map(([row, column]) => [row - top, column - left])
      .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  }
  const turned = (shape) => normalised(shape.map(([row, column]) => [column, -row]));
  const flipped = (shape) => normalised(shape.map(([row, column]) => [row, -column]));
  const mean = (shape, at) => shape.reduce((sum, one) => sum + one[at], 0) / shape.length;
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

  function snapped(one) {
    const [down, across] = [mean(one.shape, 0) + 0.5, mean(one.shape, 1) + 0.5];
    return { ...one, x: Math.round(one.x - across) + across, y: Math.round(one.y - down) + down, twist: 0 };
  }

  // Corners of each square of a piece, in units of the picture
  function outlines(one) {
    const [down, across] = [mean(one.shape, 0), mean(one.shape, 1)];
    const [cos, sin] = [Math.cos(one.twist * DEG), Math.sin(one.twist * DEG)];
    return one.shape.map(([row, column]) =>
      [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(([dx, dy]) => {
        const [x, y] = [column - across + dx, row - down + dy];
        return inPicture(one.x + x * cos - y * sin, one.y + x * sin + y * cos);
      }),
    );
  }

  function covers(one, x, y) {
    const [cos, sin] = [Math.cos(one.twist * DEG), Math.sin(one.twist * DEG)];
    const [dx, dy] = [x - one.x, y - one.y];
    const [u, v] = [dx * cos + dy * sin + mean(one.shape, 1), dy * cos - dx * sin + mean(one.shape, 0)];
    return one.shape.some(([row, column]) => Math.abs(u - column) < 0.55 && Math.abs(v - row) < 0.55);
  }

  const isOn = ({ x, y }) => x > -0.4 && y > -0.4 && x < table.size + 0.4 && y < table.size + 0.4;
  const isSame = (one, other) => one.color === other.color && one.piece === other.piece;
  const lying = (one) => table.pieces.find((other) => isSame(one, other));
  const isMoving = ({ color, piece }) => table.moving.some((one) => same(one, [color, piece]));
  const asHeld = (one) => ({
    color: one.color, piece: one.piece, shape: one.shape, x: one.across, y: one.down, twist: one.angle_deg, placed: true,
  });

  function squareName(x, y) {
    return `${String.fromCharCode(97 + Math.floor(x))}${table.size - Math.floor(y)}`;
  }

  // Drawing

  function drawPiece(one, kind) {
    const chip = table.chips[one.color];
    const group = made("g", { class: `ghost ${kind}` }, layers.ghosts);
    for (const square of outlines(one)) {
      made("polygon", { points: square.join(" "), fill: chip.ink, stroke: chip.edge }, group);
    }
  }

  const corners = ([row, column], at = inPicture) => [[0, 0], [1, 0], [1, 1], [0, 1]].map(([dx, dy]) => at(column + dx, row + dy)).join(" ");

  function draw() {
    if (!table) return;
    layers.ghosts.replaceChildren();
    layers.landing.replaceChildren();
    for (const one of pointed) {
      const group = made("g", { class: "pointed" }, layers.landing);
      for (const square of outlines(asHeld(one))) made("polygon", { points: square.join(" ") }, group);
    }
    // In a puzzle that cannot be solved any more, the piece to lift
    for (const square of table.culprit) {
      made("polygon", { class: "to-lift", points: corners(square) }, layers.landing);
    }
    drawPlaces();
    drawChosen();
    for (const one of waiting) drawPiece(one, "waiting");
    if (held && (held.dragged || held.placed)) {
      const landing = on.tidy ? snapped(held) : held;
      const group = made("g", { class: isOn(held) ? "landing" : "landing out" }, layers.landing);
      for (const square of outlines(landing)) made("polygon", { points: square.join(" ") }, group);
      drawPiece(held, "held");
    }
    for (const button of document.querySelectorAll("[data-tool]")) button.disabled = !held;
    document.querySelector("[data-tool=lift]").hidden = !held || held.from !== "board";
    for (const button of document.querySelectorAll(".pieces button")) {
      button.setAttribute("aria-pressed", String(isHeld(button)));
    }
    document.body.classList.toggle("dragging", Boolean(held && held.dragged));
  }

  const fitting = () => held && places.find(([shape]) => same(shape, normalised(held.shape)));

  function drawPlaces() {
    for (const old of document.querySelectorAll("#board .may-go")) old.remove();
    for (const squares of fitting()?.slice(1, 3) || []) {
      const dots = (at) => ({ class: "may-go", d: squares.map(([row, column]) => `M${at(column + 0.5, row + 0.5)}h0`).join("") });
      made("path", dots(inPicture), layers.landing);
      made("path", dots((x, y) => [20 * x, 20 * y]), document.querySelector("#board svg"));
    }
  }

  async function seek() {
    const one = held;
    places = [];
    if (one?.color !== table.turn) return;
    const reply = await act({ action: "places", color: one.color, piece: one.piece });
    if (!held || !isSame(held, one)) return;
    places = reply.places || [];
    draw();
    tell();
  }

  // The piece that the computer has chosen, where somebody has to lay it
  function drawChosen() {
    if (!table.chosen) return;
    const { color, squares, title } = table.chosen;
    const chip = table.chips[color];
    for (const square of squares) {
      made("polygon", { class: "chosen-square", points: corners(square), fill: chip.ink, stroke: chip.edge }, layers.landing);
    }
    const [x, y] = inPicture(mean(squares, 1) + 0.5, mean(squares, 0) + 0.5);
    made("text", { class: "chosen-name", x, y }, layers.landing).textContent = title;
  }

  const isHeld = (button) => Boolean(held) && isSame(held, pieceOf(button));

  function tell() {
    const place = held && snapped(held);
    $("held").textContent = !held
      ? ""
      : isOn(held)
        ? $("held").dataset.held.replace("{piece}", held.piece).replace("{square}", squareName(place.x, place.y))
        : $("held").dataset.off.replace("{piece}", held.piece);
    const text = fitting()?.[3] || "";
    if (text !== $("may").textContent) $("may").textContent = text;
  }

  function drawSight() {
    layers.sight.replaceChildren();
    if (table && on.names) drawNames();
    if (!on.sight || !table || !table.sight) return;
    const found = [0, 2, 4, 6].map((at) => [table.sight.corners[at] * PICTURE[0], table.sight.corners[at + 1] * PICTURE[1]]);
    const at = between(found, table.size);
    for (let line = 0; line <= table.size; line++) {
      for (const [from, to] of [[[0, line], [table.size, line]], [[line, 0], [line, table.size]]]) {
        const [[x1, y1], [x2, y2]] = [at(...from), at(...to)];
        made("line", { class: "sight-line", x1, y1, x2, y2 }, layers.sight);
      }
    }
    [...table.sight.squares].forEach((what, square) => {
      const [row, column] = [Math.floor(square / table.size), square % table.size];
      const sure = Number(table.sight.certainty[square]);
      const [x, y] = at(column + 0.5, row + 0.5);
      const unit = Math.hypot(...[0, 1].map((i) => at(column + 1, row)[i] - at(column, row)[i]));
      if (what === "?") {
        made("polygon", { class: "sight-covered", points: corners([row, column], at) }, layers.sight);
      } else if (what !== ".") {
        const chip = table.chips[Number(what)];
        made("circle", { class: "sight-square", cx: x, cy: y, r: 0.26 * unit, fill: chip.ink }, layers.sight);
      }
      if (what !== "?" && sure < 9) {
        made("text", { class: "sight-text", x, y, "font-size": 0.42 * unit }, layers.sight).textContent = `${sure}0`;
      }
    });
  }

  // Coordinates along the board, and on each piece the number of its move
  function drawNames() {
    const unit = Math.hypot(...[0, 1].map((i) => inPicture(1, table.size)[i] - inPicture(0, table.size)[i]));
    const write = (across, down, what) => {
      const [x, y] = inPicture(across, down);
      made("text", { class: "sight-text", x, y, "font-size": 0.6 * unit }, layers.sight).textContent = what;
    };
    const { top, right } = bounds(0);
    for (let column = 0; column < right; column++) write(column + 0.5, table.size + 0.6, squareName(column, 0)[0]);
    for (let row = top; row < table.size; row++) write(-0.6, row + 0.5, table.size - row);
    for (const [ply, row, column] of table.plies) write(column + 0.5, row + 0.5, ply);
  }

  // The map from squares to the picture by the four corners that the camera's reader has found
  function between([a, b, c, d], size) {
    const [dx1, dy1] = [b[0] - c[0], b[1] - c[1]];
    const [dx2, dy2] = [d[0] - c[0], d[1] - c[1]];
    const [sx, sy] = [a[0] - b[0] + c[0] - d[0], a[1] - b[1] + c[1] - d[1]];
    const whole = dx1 * dy2 - dx2 * dy1;
    const [g, h] = [(sx * dy2 - dx2 * sy) / whole, (dx1 * sy - sx * dy1) / whole];
    const m = [b[0] - a[0] + g * b[0], d[0] - a[0] + h * d[0], a[0],
      b[1] - a[1] + g * b[1], d[1] - a[1] + h * d[1], a[1], g, h, 1];
    return (x, y) => mapped(m, x / size, y / size);
  }

  // Buttons are made anew only where pieces come and go, so that they keep the focus.
  function drawTrays() {
    const free = [...mine].sort().map((color) => [
      color,
      [...table.shapes].reverse().map(({ name }) => name).filter((piece) => isInTray({ color, piece })),
    ]);
    // Colours that do not fit beside the picture are chosen by tabs; the one to move comes by itself.
    const isChosen = table.field || mine.size > (isNarrow.matches ? 1 : 2);
    if (!table.field && table.turn !== turnBefore && mine.has(table.turn)) inkChosen = table.turn;
    turnBefore = table.turn;
    if (!free.some(([color, some]) => color === inkChosen && some.length)) {
      inkChosen = free.find(([, some]) => some.length)?.[0] ?? inkChosen;
    }
    const content = JSON.stringify([free, isChosen && inkChosen, table.chips]);
    if (content === traysDrawn) return;
    traysDrawn = content;
    const focused = document.activeElement?.closest?.(".pieces button");
    for (const side of ["left", "right"]) $(`trays-${side}`).replaceChildren();
    if (isChosen && free.some(([, some]) => some.length)) $("trays-left").append(colourTabs(free));
    const shown = free.filter(([color, some]) => some.length && (!isChosen || color === inkChosen));
    for (const [color, pieces] of shown) {
      const list = document.createElement("div");
      list.className = "pieces";
      list.setAttribute("role", "group");
      list.setAttribute("aria-label", table.chips[color].name);
      list.append(...pieces.map((piece) => trayButton(color, piece)));
      $(color % 2 && !isChosen ? "trays-right" : "trays-left").append(list);
    }
    if (focused) trayButtonOf(pieceOf(focused))?.focus();
  }

  const isInTray = (one) =>
    !lying(one) && !isMoving(one) && !waiting.some((other) => isSame(one, other));
  const pieceOf = (button) => ({ color: Number(button.dataset.color), piece: button.dataset.piece });
  const facingOf = ({ color, piece }) =>
    facing.get(`${color}${piece}`) || table.shapes.find(({ name }) => name === piece).squares;

  // Who lays several colours chooses the tray: in a puzzle, and to put back what has moved.
  function colourTabs(free) {
    const row = document.createElement("div");
    row.className = "ink-tabs";
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", $("trays-left").dataset.colors);
    for (const [color, pieces] of free) {
      const chip = table.chips[color];
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.ink = color;
      button.disabled = !pieces.length;
      button.setAttribute("aria-pressed", String(color === inkChosen));
      button.setAttribute("aria-label", `${chip.name} ${pieces.length}`);
      const sign = document.createElement("span");
      sign.textContent = chip.letter;
      Object.assign(sign.style, { background: chip.ink, borderColor: chip.edge, color: chip.on });
      button.append(sign, String(pieces.length));
      row.append(button);
    }
    return row;
  }

  function chooseInk(color) {
    inkChosen = color;
    drawTrays();
    document.querySelector(`.ink-tabs [data-ink="${color}"]`)?.focus();
  }

  function trayButton(color, piece) {
    const button = document.createElement("button");
    button.type = "button";
    Object.assign(button.dataset, { color, piece });
    button.setAttribute("aria-label", `${table.chips[color].name} ${piece}`);
    button.setAttribute("aria-pressed", "false");
    button.append(trayPicture(color, facingOf({ color, piece })));
    return button;
  }

  function trayPicture(color, shape) {
    const chip = table.chips[color];
    const [high, wide] = [0, 1].map((at) => Math.max(...shape.map((one) => one[at])) + 1);
    const svg = made("svg", { viewBox: `${(wide - 5) / 2} ${(high - 5) / 2} 5 5`, "aria-hidden": "true" });
    for (const [row, column] of shape) {
      made("rect", { x: column + 0.03, y: row + 0.03, width: 0.94, height: 0.94, rx: 0.12, fill: chip.ink, stroke: chip.edge, "stroke-width": 0.06 }, svg);
    }
    return svg;
  }

  // The part of the picture in view: the board, with as much around it as the stage has room for

  function frame() {
    if (!table) return;
    const { clientWidth: wide, clientHeight: high } = stage;
    if (!wide || !high) return;
    const [xs, ys] = [0, 1].map((at) => ring(bounds(MARGIN)).map((corner) => corner[at]));
    let [left, top] = [Math.min(...xs), Math.min(...ys)];
    let [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
    if (width / height < wide / high) {
      const grown = Math.min((height * wide) / high, PICTURE[0]);
      left -= (grown - width) / 2;
      width = grown;
    }
    if (width / height > wide / high) {
      const grown = (width * high) / wide;
      top -= (grown - height) / 2;
      height = grown;
    }
    left = Math.max(0, Math.min(left, PICTURE[0] - width));
    crop = [left, top, width, height];
    overlay.setAttribute("viewBox", crop.join(" "));
    overlay.setAttribute("preserveAspectRatio", "none");
    drawField();
    photo.width = Math.round(wide * Math.min(2, devicePixelRatio));
    photo.height = Math.round(high * Math.min(2, devicePixelRatio));
    drawPhoto();
  }

  // The board, or the field of a puzzle at its lower left corner, with squares around it
  function bounds(around) {
    const [columns, rows] = table.field || [table.size, table.size];
    return { left: -around, top: table.size - rows - around, right: columns + around, bottom: table.size + around };
  }

  // Its corners in the picture
  const ring = ({ left, top, right, bottom }) => [[left, top], [right, top], [right, bottom], [left, bottom]].map((at) => inPicture(...at));

  function drawField() {
    layers.field.replaceChildren();
    ["x", "y", "width", "height"].forEach((side, at) => overlay.querySelector("#in-view rect").setAttribute(side, crop[at]));
    if (!table.field || Math.min(...table.field) === table.size) return;
    const path = (sides) => `M${ring(sides).join("L")}Z`;
    const border = path(bounds(0));
    const board = path({ left: 0, top: 0, right: table.size, bottom: table.size });
    made("path", { class: "field-outside", d: board + border, "fill-rule": "evenodd" }, layers.field);
    made("path", { class: "field-border", d: border }, layers.field);
  }

  const middleOfField = () => {
    const { left, top, right, bottom } = bounds(0);
    return { x: (left + right) / 2, y: (top + bottom) / 2 };
  };

  let newest = null;
  function drawPhoto() {
    if (!newest || !photo.width) return;
    const scale = newest.naturalWidth / PICTURE[0];
    const paper = photo.getContext("2d");
    paper.imageSmoothingQuality = "high";
    paper.drawImage(newest, ...crop.map((value) => value * scale), 0, 0, photo.width, photo.height);
  }

  function look() {
    if (document.hidden || main.dataset.view === "diagram") return setTimeout(look, 1000);
    const begun = Date.now();
    const picture = new Image();
    picture.onload = () => {
      newest = picture;
      drawPhoto();
      setTimeout(look, Math.max(0, PICTURE_MS - (Date.now() - begun)));
    };
    picture.onerror = () => setTimeout(look, 1500);
    picture.src = `/live.jpg?${begun}`;
  }

  // The hand

  function take(one, from) {
    held = { ...one, from, dragged: false };
    seek();
    draw();
    tell();
  }

  function drop() {
    held = null;
    draw();
    tell();
  }

  function turn(ways) {
    const one = held;
    if (!one) return;
    for (let at = 0; at < (ways + 4) % 4; at++) one.shape = turned(one.shape);
    remember("turn");
  }

  function flip() {
    if (!held) return;
    held.shape = flipped(held.shape);
    remember("flip");
  }

  function remember(way) {
    facing.set(`${held.color}${held.piece}`, held.shape);
    const button = trayButtonOf(held);
    if (button) button.replaceChildren(trayPicture(held.color, held.shape));
    draw();
    tell();
    document.dispatchEvent(new CustomEvent("turned", { detail: way }));
  }

  const trayButtonOf = ({ color, piece }) =>
    document.querySelector(`.pieces button[data-color="${color}"][data-piece="${piece}"]`);

  function twist(degrees) {
    if (!held) return;
    held.twist += degrees;
    while (held.twist > 45) {
      held.shape = turned(held.shape);
      held.twist -= 90;
    }
    while (held.twist < -45) {
      held.shape = turned(turned(turned(held.shape)));
      held.twist += 90;
    }
    remember("turn");
  }

  function lay() {
    const one = held;
    if (!isOn(one)) return one.from === "board" ? lift() : drop();
    const placed = on.tidy ? snapped(one) : one;
    const inside = (value) => Math.max(0, Math.min(table.size, value));
    const place = {
      color: one.color, piece: one.piece, shape: one.shape,
      across: inside(placed.x), down: inside(placed.y), angle_deg: placed.twist,
    };
    waiting.push({ ...placed, until: Date.now() + FORGET_MS });
    held = null;
    drawTrays();
    draw();
    tell();
    act({ action: one.from === "board" ? "shift" : "put", place }, one);
  }

  function lift() {
    const one = held;
    drop();
    if (one) act({ action: "lift", color: one.color, piece: one.piece }, one);
  }

  async function act(action, one) {
    const body = new URLSearchParams({ token: document.body.dataset.token, action: JSON.stringify(action) });
    let reply = { code: "silent", said: "" };
    try {
      const answer = await fetch("/play/act", { method: "POST", body });
      if (answer.headers.has("Refresh")) return location.reload();
      const kind = answer.headers.get("Content-Type") || "";
      reply = kind.startsWith("application/json") ? await answer.json() : { code: "failed", said: await answer.text() };
    } catch {
      reply.said = $("connection").dataset.lost;
    }
    if (reply.code === "done") return reply;
    if (["stay", "places"].includes(action.action) && reply.code !== "nowhere") return reply.code === "silent";
    if (one) waiting = waiting.filter((other) => !isSame(one, other));
    say(reply.said);
    drawTrays();
    draw();
    return false;
  }

  let hiding = 0;
  function say(sentence) {
    clearTimeout(hiding);
    $("reply").textContent = sentence;
    $("reply").hidden = !sentence;
    hiding = setTimeout(() => ($("reply").hidden = true), SHOWN_MS);
  }

  // Pointers: one drags, a second one turns.

  let heldBefore = null; // the piece in the hand before the newest touch

  function grab(event, one, from) {
    event.preventDefault();
    heldBefore = held;
    take(one, from);
    const [x, y] = onBoard(event);
    // A piece on the board is held where it was touched, one of the tray by its middle.
    held.offset = from === "board" ? [one.x - x, one.y - y] : [0, 0];
    hold(event, event.pointerType === "mouse" ? 0 : LIFT_PX);
  }

  // Binds the piece in the hand to a pointer, which drags it from now on.
  function hold(event, finger) {
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    Object.assign(held, { pointer: event.pointerId, start: [event.clientX, event.clientY], finger });
  }

  const ofTray = (button) => ({ ...pieceOf(button), shape: facingOf(pieceOf(button)), twist: 0 });

  document.addEventListener("pointerdown", (event) => {
    if (!table || event.button > 0) return;
    if (held && held.pointer !== undefined) {
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      return event.preventDefault();
    }
    const button = event.target.closest(".pieces button");
    if (button) {
      const [x, y] = onBoard(event);
      return grab(event, { ...ofTray(button), x, y }, "tray");
    }
    if (!overlay.contains(event.target)) return;
    const [x, y] = onBoard(event);
    if (held) {
      overlay.focus({ preventScroll: true });
      // A piece is moved by any of its squares; a touch elsewhere fetches it. To adjust it, a finger
      // moves it from anywhere, as it hides what is below.
      const isMoved = covers(held, x, y) || (on.adjust && event.pointerType !== "mouse");
      if (isMoved) held.offset = [held.x - x, held.y - y];
      else Object.assign(held, { x, y, offset: [0, 0] });
      Object.assign(held, { placed: true, touched: [x, y] });
      hold(event, 0);
      draw();
      return event.preventDefault();
    }
    const touched = touchable().find((one) => covers(one, x, y));
    if (touched) grab(event, touched, "board");
  });

  const touchable = () =>
    [...table.pieces].reverse().filter((one) => mine.has(one.color) && !isMoving(one)).map(asHeld);

  document.addEventListener("pointermove", (event) => {
    if (!table) return;
    if (!held || held.pointer === undefined) {
      const over = overlay.contains(event.target) && touchable().some((one) => covers(one, ...onBoard(event)));
      return overlay.toggleAttribute("data-over", over);
    }
    const before = angle();
    if (pointers.has(event.pointerId)) pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const after = angle();
    if (before !== null && after !== null) {
      let change = after - before;
      if (change > 180) change -= 360;
      if (change < -180) change += 360;
      twist(change);
    }
    if (event.pointerId !== held.pointer) return;
    const far = Math.hypot(event.clientX - held.start[0], event.clientY - held.start[1]);
    if (!held.dragged && far < TAP_PX) return;
    held.dragged = true;
    const [x, y] = onBoard(event, held.finger);
    [held.x, held.y] = [x + held.offset[0], y + held.offset[1]];
    draw();
  });

  // Degrees of the line between two fingers; null with one
  function angle() {
    const [one, other] = [...pointers.values()];
    return other ? Math.atan2(other.y - one.y, other.x - one.x) / DEG : null;
  }

  function release(event) {
    pointers.delete(event.pointerId);
    if (!held || event.pointerId !== held.pointer) return;
    const { dragged } = held;
    held.pointer = undefined;
    pointers.clear();
    if (event.type === "pointercancel") {
      // The finger scrolls the tray instead.
      held = held.placed ? { ...held, dragged: false } : heldBefore;
      draw();
      return tell();
    }
    if (dragged && on.adjust && isOn(held)) Object.assign(held, on.tidy ? snapped(held) : {}, { dragged: false, placed: true });
    else if (dragged) return lay();
    else if (held.touched && !covers(held, ...held.touched)) [held.x, held.y] = held.touched;
    // A tap chooses the piece; it is laid by a further tap, by buttons or by keys.
    else if (!held.placed && held.from === "tray") Object.assign(held, snapped({ ...held, ...middleOfField() }), { placed: true });
    overlay.focus({ preventScroll: true });
    draw();
    tell();
  }
  document.addEventListener("pointerup", release);
  document.addEventListener("pointercancel", release);
  // A finger on a piece drags it, elsewhere on the picture it scrolls the page. Beside the picture a
  // touch is the beginning of a click.
  overlay.addEventListener("touchstart", (event) => held && event.preventDefault(), { passive: false });
  document.addEventListener("contextmenu", (event) => {
    if (held) event.preventDefault();
  });

  let wheeled = 0;
  document.addEventListener(
    "wheel",
    (event) => {
      if (!held) return;
      event.preventDefault();
      if (event.shiftKey) return twist(Math.sign(event.deltaY || event.deltaX) * 3);
      if (Date.now() - wheeled < 120) return;
      wheeled = Date.now();
      turn(event.deltaY > 0 ? 1 : -1);
    },
    { passive: false },
  );

  // Keys

  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  document.addEventListener("keydown", (event) => {
    if (!table || event.ctrlKey || event.metaKey || event.altKey) return;
    const button = event.target.closest?.(".pieces button");
    if (button && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      take({ ...snapped({ ...ofTray(button), ...middleOfField() }), placed: true }, "tray");
      return overlay.focus();
    }
    if (event.target.matches?.("input, select, textarea")) return;
    if (!held) return event.target === overlay ? choose(event) : undefined;
    if (!key(event)) return;
    event.preventDefault();
    draw();
    tell();
  });

  // Without a piece in the hand, Enter takes the newest own piece on the board, N the one before.
  function choose(event) {
    const [newestOwn] = touchable();
    if (event.key !== "Enter" || !newestOwn) return;
    event.preventDefault();
    take(newestOwn, "board");
  }

  function chooseNext() {
    const all = touchable();
    const at = all.findIndex((one) => isSame(one, held));
    if (held.from === "board") take(all[(at + 1) % all.length], "board");
  }

  function key(event) {
    const step = STEPS[event.key];
    if (step) {
      const far = event.shiftKey ? 0.1 : 1;
      const clamp = (value) => Math.max(-1, Math.min(table.size + 1, value));
      held.x = clamp(held.x + far * step[0]);
      held.y = clamp(held.y + far * step[1]);
      return true;
    }
    if (event.target.closest?.("button") && (event.key === "Enter" || event.key === " ")) return false;
    const gone = () => (held.from === "board" ? lift() : back());
    const does = {
      r: () => turn(event.shiftKey ? -1 : 1), f: flip, n: chooseNext, enter: lay, " ": lay,
      delete: gone, backspace: gone, escape: back,
    }[event.key.toLowerCase()];
    does?.();
    return Boolean(does);
  }

  function back() {
    const button = held && trayButtonOf(held);
    drop();
    if (button) button.focus();
  }

  // Buttons

  const TOOLS = { left: () => turn(-1), right: () => turn(1), flip, lay, lift, cancel: back };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button || !table) return;
    const { tool, prop, sit, empty, ink } = button.dataset;
    if (ink !== undefined) chooseInk(Number(ink));
    if (tool) TOOLS[tool]();
    if (prop) act({ action: "prop", prop, on: button.getAttribute("aria-pressed") !== "true" });
    if (sit !== undefined) changeSeat({ action: "sit", person: Number(sit) });
    if (empty !== undefined) act({ action: "empty", person: Number(empty) });
    if (button.id === "stand") changeSeat({ action: "stand" });
    if (button.dataset.switch) flick(button);
  });

  async function changeSeat(action) {
    if (await act(action)) location.reload();
  }

  function flick(button) {
    const key = button.dataset.switch;
    on[key] = !on[key];
    stored(key, on[key] ? "on" : "off");
    main.dataset.view = on.diagram ? "diagram" : "camera";
    frame();
    draw();
    drawSight();
    showSwitches();
  }

  function showSwitches() {
    for (const button of document.querySelectorAll("[data-switch]")) {
      button.setAttribute("aria-checked", String(Boolean(on[button.dataset.switch])));
    }
  }
  showSwitches();

  // News of the table

  function read() {
    const text = $("table").textContent;
    if (!text || isLeft) return;
    const before = table;
    table = JSON.parse(text);
    const phone = document.body.dataset.phone;
    const seats = table.seats.filter((seat) => seat.holder === "person" && seat.phone === phone);
    const owned = seats.flatMap((seat) => seat.colors);
    const shared = table.chips.map((_, color) => color).filter((color) => !table.seats.some((seat) => seat.colors.includes(color)));
    const lent = table.by_hand ? table.seats.filter((seat) => seat.holder === "computer").flatMap((seat) => seat.colors) : [];
    const now = new Set(seats.length ? [...owned, ...shared, ...lent] : []);
    if (before && mine.size && !now.size) return location.reload(); // the seat was given away
    if (now.size && $("start")) return location.reload(); // the seat was given after the page
    mine = now;
    const pending = Date.now();
    waiting = waiting.filter((one) => one.until > pending && (isMoving(one) || !arrived(one)));
    if (held && held.from === "board" && !lying(held)) held = null;
    const changed = !before || before.size !== table.size || !same(before.field, table.field);
    if (changed) frame();
    if (!same(before?.plies, table.plies)) seek();
    if (!held || !held.dragged) drawTrays();
    draw();
    drawSight();
    showSeats();
    showProps();
    const note = $("opponent");
    note.textContent = note.dataset[table.opponent] || "";
  }

  function arrived(one) {
    const there = lying(one);
    return there && Math.hypot(there.across - one.x, there.down - one.y) < 0.3;
  }

  function showProps() {
    for (const button of document.querySelectorAll("[data-prop]")) {
      if (button.hasAttribute("aria-pressed")) button.setAttribute("aria-pressed", table.props.includes(button.dataset.prop));
      button.disabled = !mine.size;
    }
  }

  function showSeats() {
    const list = document.querySelector(".seats-list");
    const words = list.dataset;
    const rows = table.seats.map((seat, person) => {
      const row = document.createElement("li");
      const names = seat.colors.map((color) => table.chips[color].name).join(", ");
      const name = document.createElement("span");
      const player = seat.colors.length ? table.players[seat.colors[0]] : "";
      const state = { free: words.free, computer: words.computer, person: player || words.taken }[seat.holder];
      name.textContent = `${names}: ${state}`;
      row.append(name);
      const option = (text, key) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = text;
        button.dataset[key] = person;
        row.append(button);
      };
      if (seat.holder === "free") option(words.sit, "sit");
      if (seat.holder === "person" && "owner" in words && seat.phone !== document.body.dataset.phone) option(words.empty, "empty");
      return row;
    });
    if (list.textContent !== rows.map((row) => row.textContent).join("")) list.replaceChildren(...rows);
  }

  async function stay() {
    if (!document.body.dataset.phone) return;
    const hasSeat = await act({ action: "stay" });
    if (hasSeat && !mine.size && table) setTimeout(() => location.reload(), 500); // the seat is ours again
  }

  // The guided tour points places out, and lets a hand lay pieces.
  document.addEventListener("point-out", (event) => {
    pointed = event.detail;
    draw();
  });
  document.addEventListener("gesture", (event) => act(event.detail));

  new MutationObserver(read).observe($("table"), { childList: true, characterData: true, subtree: true });
  new ResizeObserver(() => {
    if (table) drawTrays();
    frame();
    draw();
    drawSight();
  }).observe(stage);
  setInterval(() => {
    const before = waiting.length;
    waiting = waiting.filter((one) => one.until > Date.now());
    if (waiting.length !== before) {
      drawTrays();
      draw();
    }
  }, 1000);
  setInterval(stay, STAY_MS);
  // A refused form, which is not sent again when the page is loaded again
  if (location.pathname !== "/play") history.replaceState(null, "", "/play");
  $("new")?.addEventListener("submit", () => (isLeft = true));
  addEventListener("pageshow", () => (isLeft = false));
  say($("reply").textContent);
  read();
  stay();
  look();
})();
