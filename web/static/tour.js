// The guided first run: says one thing to do, points it out, and sees by the news of the table that
// it is done. Whatever else happens on the table, it says what mends that, and goes on.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const panel = $("tour");
  if (!panel) return;
  const TICK_MS = 200;
  const DONE_MS = 1500; // a finished step is shown for so long
  const CALM_MS = 600; // the table has been calm for so long before a hand lays a piece for the tour
  const AGAIN_MS = 9000; // a hand that did not lay its piece tries again after that
  const STRAY_MS = 4000; // a piece that lies there for so long and is no move lies between squares
  const CARELESS = 0.35; // squares from its place; 0.3 to 0.4 were doubted in 35 of 35 trials
  const MOVED = 0.2; // squares from its place at which a piece has been moved
  const CALM = ["new-game", "waiting", "accepted"];
  const SIDES = [[0, 1], [1, 0], [0, -1], [-1, 0]];
  const CORNERS = [[1, 1], [1, -1], [-1, -1], [-1, 1]];

  const words = JSON.parse($("tour-words").textContent);
  const body = document.body.dataset;
  let table = null;
  let text = "";
  let home = []; // the pieces as they lay when the newest move was accepted
  let homePly = -1;
  let calmSince = 0;
  let handAt = 0; // time at which a hand was asked to lay a piece
  let finishedAt = 0;
  let seen = false; // the first half of a step has happened
  let skipping = false; // a hand is to lay the first piece
  let pointed = "";
  const ways = new Set(); // in which a piece in the hand was turned
  const opened = new Set(); // folds that the tour has opened, and closes again
  let plyBefore = 0; // moves before a hand lays a piece for the tour

  function stored(value) {
    try {
      if (value !== undefined) sessionStorage.setItem("tour", value);
      return Number(sessionStorage.getItem("tour"));
    } catch {
      return 0; // the browser has no storage
    }
  }

  // Shapes and places on the board, in squares

  const middle = (squares, at) => squares.reduce((sum, one) => sum + one[at], 0) / squares.length + 0.5;
  const isInside = ([row, column]) => Math.min(row, column) >= 0 && Math.max(row, column) < table.size;

  function squaresOf({ shape, across, down }) {
    const [top, left] = [Math.round(down - middle(shape, 0)), Math.round(across - middle(shape, 1))];
    return shape.map(([row, column]) => [top + row, left + column]);
  }

  function contents() {
    const board = new Map();
    for (const one of table.pieces) for (const square of squaresOf(one)) board.set(String(square), one.color);
    return board;
  }

  // A shape with its squares in the place nearest to the middle that fits; null if there is none
  function nearest(shape, fits) {
    let found = null;
    for (let top = 0; top < table.size; top++) {
      for (let left = 0; left < table.size; left++) {
        const squares = shape.map(([row, column]) => [top + row, left + column]);
        if (!squares.every(isInside) || !fits(squares)) continue;
        const [down, across] = [middle(squares, 0), middle(squares, 1)];
        const far = Math.hypot(across - table.size / 2, down - table.size / 2);
        if (!found || far < found.far) found = { shape, squares, across, down, far };
      }
    }
    return found;
  }

  function touches(board, squares, color, ways) {
    return squares.some(([row, column]) => ways.some(([down, right]) => board.get(String([row + down, column + right])) === color));
  }

  const isFree = (board, squares) => squares.every((square) => !board.has(String(square)));
  const isLegal = (board, squares, color) =>
    isFree(board, squares) && !touches(board, squares, color, SIDES) && touches(board, squares, color, CORNERS);
  const inTray = (color) =>
    [...table.shapes].reverse().filter(({ name }) => !table.pieces.some((one) => one.color === color && one.piece === name));

  function found(color, piece, place) {
    return place && { color, piece, shape: place.shape, across: place.across, down: place.down, angle_deg: 0 };
  }

  // The placements that the tour suggests or makes

  function onRing() {
    const board = contents();
    const ring = table.starts.find((square) => isFree(board, [square]));
    const tray = inTray(table.turn);
    const one = tray.find(({ name }) => name === "X") || tray[0];
    if (!ring || !one) return null;
    const isOver = (squares) => squares.some((square) => String(square) === String(ring));
    return found(table.turn, one.name, nearest(one.squares, (squares) => isOver(squares) && isFree(board, squares)));
  }

  // Beside the side of an own piece, and at its corner: only one rule is broken
  function beside() {
    const board = contents();
    const color = table.turn;
    const fits = (one) => isFree(board, one) && touches(board, one, color, SIDES) && touches(board, one, color, CORNERS);
    for (const { name, squares } of inTray(color)) {
      const place = nearest(squares, fits);
      if (place) return found(color, name, place);
    }
    return null;
  }

  // A straight piece that is slid towards the middle of its first three squares, so that its last
  // square may be empty as well: with it or without it, it is a legal move.
  function careless() {
    const board = contents();
    const color = table.turn;
    if (!inTray(color).some(({ name }) => name === "I4")) return null;
    for (const [down, right] of SIDES) {
      const shape = [0, 1, 2, 3].map((at) => [at * Math.abs(down), at * Math.abs(right)]);
      const back = down + right > 0;
      const place = nearest(shape, (all) => {
        const most = back ? all.slice(0, 3) : all.slice(1);
        const [row, column] = back ? all[0] : all[3];
        const beyond = [row - down, column - right];
        return isLegal(board, all, color) && isLegal(board, most, color) && isInside(beyond) && isFree(board, [beyond]);
      });
      if (!place) continue;
      const one = found(color, "I4", place);
      return { ...one, across: one.across - CARELESS * right, down: one.down - CARELESS * down };
    }
    return null;
  }

  function nameOf(place) {
    return `${String.fromCharCode(97 + Math.floor(place.across))}${table.size - Math.floor(place.down)}`;
  }

  // State of the table

  const ply = () => Number(body.ply);
  const isCalm = () =>
    CALM.includes(body.state) && !table.moving.length && table.pieces.length === ply();
  const newest = () => table.pieces.slice(-1);
  const button = (prop) => `[data-prop="${prop}"]`;

  function displaced() {
    return home.filter((was) => {
      const now = table.pieces.find((one) => one.color === was.color && one.piece === was.piece);
      return !now || Math.hypot(now.across - was.across, now.down - was.down) > MOVED || Math.abs(now.angle_deg - was.angle_deg) > 5;
    });
  }

  // A piece that was pushed between the squares has moved, or the referee asks what was laid there.
  const isAsking = () => document.querySelector(".play .ask") !== null;
  const isAstray = () => body.state === "disturbed" || (body.state === "unsure" && displaced().length > 0);

  function lay(place) {
    const isAsked = ply() === plyBefore && Date.now() - handAt < AGAIN_MS;
    if (!place || isAsked || Date.now() - calmSince < CALM_MS) return;
    [handAt, plyBefore] = [Date.now(), ply()];
    document.dispatchEvent(new CustomEvent("gesture", { detail: { action: "put", place } }));
  }

  function suggest(key, place) {
    if (!place) return { say: key };
    const tray = `.pieces button[data-color="${place.color}"][data-piece="${place.piece}"]`;
    return { say: key, piece: place.piece, square: nameOf(place), mark: [tray], places: [place] };
  }

  // A piece that looks different from each side is taken into the hand, and a button is pressed.
  function inHand(key, tools) {
    const tray = inTray(table.turn);
    const piece = (tray.find(({ name }) => name === "L5") || tray[0])?.name;
    const button = `.pieces button[data-color="${table.turn}"][data-piece="${piece}"]`;
    const isHeld = document.querySelector(`${button}[aria-pressed="true"]`);
    return { say: isHeld ? key : "take", piece, mark: [isHeld ? tools : button] };
  }

  // The steps. `expects`, `astray` and `asks` tell what belongs to a step, all else is mended;
  // `now` returns the sentence with what to point out; `begun` is true when the first half of the
  // step has happened.
  const STEPS = [
    {
      name: "turn",
      quick: true,
      done: () => ways.has("turn"),
      now: () => inHand("turn", ":is([data-tool=left], [data-tool=right])"),
    },
    { name: "flip", done: () => ways.has("flip"), now: () => inHand("flip", "[data-tool=flip]") },
    {
      name: "lay",
      done: () => ply() >= 2 && isCalm(),
      now() {
        if (isCalm() && (ply() || skipping)) lay(onRing());
        return ply() ? { say: "answer", at: "#stage" } : suggest("lay", onRing());
      },
    },
    {
      name: "side",
      expects: ["refused"],
      quick: true,
      done: () => body.state === "refused",
      now: () => suggest("side", beside()),
    },
    {
      name: "take-back",
      expects: ["refused"],
      done: isCalm,
      now: () => ({ say: "take-back", places: newest(), mark: ["#state .banner", ".play .refusal"], at: "#state .banner" }),
    },
    {
      name: "nudge",
      astray: true,
      begun: isAstray,
      done: () => seen && isCalm(),
      now: () =>
        seen
          ? { say: "nudge-then", places: displaced(), at: "#stage" }
          : { say: "nudge", mark: [button("nudge")] },
    },
    {
      name: "cup",
      props: ["cup"],
      expects: ["hand"],
      begun: () => table.props.includes("cup"),
      done: () => seen && !table.props.includes("cup") && isCalm(),
      now: () => ({ say: seen ? "cup-then" : "cup", mark: [button("cup")] }),
    },
    {
      name: "doubt",
      asks: true,
      begun: () => body.state === "unsure" && document.querySelector(".play .ask [value^=choose]"),
      done: () => (seen || (handAt && ply() > plyBefore)) && isCalm(),
      now() {
        if (seen) return { say: "doubt-then", mark: [".play .ask"] };
        if (isCalm()) lay(careless());
        return { say: "doubt", at: "#stage" };
      },
    },
    {
      name: "phone",
      free: true,
      done: () => false,
      now: () =>
        document.querySelector(".play .invitation")
          ? { say: "phone", mark: [".play .invitation"] }
          : { say: "no-phone" },
    },
    { name: "computer", free: true, done: () => false, now: () => ({ say: "computer", at: "header" }) },
  ];

  const LAY = STEPS.findIndex(({ name }) => name === "lay"); // the first that needs a piece on the board

  // What keeps a step from going on, and the one thing that mends it; null if nothing does
  function mend(step) {
    const { state } = body;
    if (body.connected === "false" || state === "no-table" || state === "camera-away") return { say: "mend-away" };
    if (step.free) return null;
    if (table.chips.length !== 2 || !table.starts.length || ["game-over", "new-game-asked"].includes(state)) return { say: "mend-over" };
    if (state === "paused") return { say: "mend-paused", mark: ["#controls [value=resume]"] };
    const lost = state === "board-lost" || state === "searching";
    const inWay = table.props.filter((prop) => (lost || prop === "cup" || prop === "hand") && !(step.props || []).includes(prop));
    if (inWay.length) return { say: "mend-prop", mark: inWay.map(button) };
    if (lost) return { say: "mend-lost", mark: [button("camera"), button("board")] };
    if ((step.expects || []).includes(state)) return null;
    if (["refused", "to-lift"].includes(state)) return { say: "mend-refused", places: newest(), at: "#stage" };
    if (isAstray()) return step.astray ? null : { say: "mend-disturbed", places: displaced(), at: "#stage" };
    if (state === "unsure" && isAsking()) return step.asks ? null : { say: "mend-unsure", mark: [".play .ask"] };
    const isStray = table.pieces.length > ply() && Date.now() - Math.max(calmSince, handAt) > STRAY_MS;
    if (state === "unsure" || (isStray && CALM.includes(state) && !table.moving.length)) return { say: "mend-stray", places: newest(), at: "#stage" };
    return null;
  }

  // The panel

  let at = stored();
  const go = (to) => {
    if (to === LAY) document.querySelector("[data-tool=cancel]").click(); // another piece is laid
    at = Math.min(to, STEPS.length - 1);
    stored(at);
    [seen, skipping, finishedAt, handAt] = [false, false, 0, 0];
    tick();
  };

  function show(advice, step) {
    const sentence = words[advice.say].replace("{piece}", advice.piece).replace("{square}", advice.square);
    if ($("tour-say").textContent !== sentence) $("tour-say").textContent = sentence;
    const count = words.count.replace("{step}", at + 1).replace("{steps}", STEPS.length);
    if ($("tour-count").textContent !== count) $("tour-count").textContent = count;
    Object.assign(panel.dataset, { step: step.name, say: advice.say });
    const isBelow = (one) => document.querySelector(`.play > :not(.first) :is(${one})`);
    panel.toggleAttribute("data-buttons", Boolean(advice.mark?.some(isBelow)));
    $("tour-next").hidden = at === STEPS.length - 1;
    const label = finishedAt || step.name === "phone" ? words.next : words.skip;
    if ($("tour-next").textContent !== label) $("tour-next").textContent = label;
    $("tour-computer").hidden = at !== STEPS.length - 1;
    $("tour-again").hidden = advice.say !== "mend-over";
    $("tour-bar").value = at + (finishedAt ? 1 : 0);
  }

  function point({ say, mark = [], places = [], at: view }) {
    const marked = mark.flatMap((selector) => [...document.querySelectorAll(selector)]);
    for (const one of document.querySelectorAll(".pointed-out")) one.classList.toggle("pointed-out", marked.includes(one));
    for (const one of marked) {
      one.classList.add("pointed-out");
      const fold = one.closest("details.fold");
      if (fold && !fold.open) {
        fold.open = true;
        opened.add(fold);
      }
    }
    for (const fold of opened) if (!marked.some((one) => fold.contains(one))) opened.delete(fold) && (fold.open = false);
    const now = JSON.stringify([say, mark, places, marked.length]);
    if (now === pointed) return;
    pointed = now;
    document.dispatchEvent(new CustomEvent("point-out", { detail: places }));
    const target = view ? document.querySelector(view) : marked[0];
    if (target) target.scrollIntoView({ block: "nearest" });
  }

  function tick() {
    const news = $("table").textContent;
    if (!news) return;
    if (news !== text) {
      table = JSON.parse((text = news));
      table.turn ??= 0;
    }
    const step = STEPS[at];
    if (!ply() && at > LAY && !step.free) return go(0); // another game has begun
    if (isCalm()) {
      calmSince ||= Date.now();
      if (homePly !== ply()) [home, homePly] = [table.pieces, ply()];
    } else {
      calmSince = 0;
    }
    seen ||= Boolean(step.begun && step.begun());
    if (!finishedAt && step.done()) {
      if (step.quick) return go(at + 1);
      finishedAt = Date.now();
    }
    if (finishedAt && Date.now() - finishedAt > DONE_MS) return go(at + 1);
    const advice = finishedAt ? { say: "done" } : mend(step) || step.now();
    show(advice, step);
    point(advice);
  }

  // Without a first piece there is nothing to show: a hand lays it, or else those steps are left out.
  $("tour-next").addEventListener("click", () => {
    if (at !== LAY || ply()) return go(at + 1);
    if (skipping) return go(STEPS.findIndex(({ free }) => free));
    skipping = true;
  });
  for (const [id, mode] of [["tour-computer", "computer"], ["tour-again", "tour"]]) {
    $(id).addEventListener("click", () => {
      stored(0);
      document.querySelector(`.begin [value=${mode}]`).click();
      if (mode === "computer") document.querySelector(".begin [value=new-game]").click();
    });
  }
  if (!ply()) stored((at = 0));
  $("tour-bar").max = STEPS.length;
  document.addEventListener("turned", (event) => {
    ways.add(event.detail);
    tick();
  });
  // The pieces of a tray are drawn anew with the news.
  for (const side of ["left", "right"]) new MutationObserver(tick).observe($(`trays-${side}`), { childList: true });
  panel.hidden = false;
  tick();
  setInterval(tick, TICK_MS);
})();
