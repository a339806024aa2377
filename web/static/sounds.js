// Sounds of a game, made by the browser itself. They follow what the page shows.

// The notes of each sound: begin and length in seconds, hertz at begin and end.
export const SOUNDS = {
  laid: [[0, 0.11, 523, 587], [0.09, 0.22, 784, 880]],
  refused: [[0, 0.2, 466, 415], [0.18, 0.34, 311, 247]],
  turn: [[0, 0.16, 988, 988], [0.16, 0.36, 988, 988]],
  minute: [[0, 0.07, 1480, 1480], [0.13, 0.07, 1480, 1480], [0.26, 0.07, 1480, 1480], [0.39, 0.07, 1480, 1480]],
  end: [[0, 0.2, 523, 523], [0.16, 0.2, 659, 659], [0.32, 0.2, 784, 784], [0.48, 0.6, 1047, 1047]],
};

export function perform(audio, name) {
  const LOUD = 0.6; // two notes that overlap stay below full scale
  const RAMP_S = 0.01; // a note that begins or ends at once clicks
  const now = audio.currentTime;
  for (const [begin, length, from, to] of SOUNDS[name]) {
    const at = now + begin;
    const note = audio.createOscillator();
    const envelope = audio.createGain();
    note.type = "triangle"; // a sine is too soft for the loudspeaker of a phone
    note.frequency.setValueAtTime(from, at);
    note.frequency.linearRampToValueAtTime(to, at + length);
    envelope.gain.setValueAtTime(0, at);
    envelope.gain.linearRampToValueAtTime(LOUD, at + RAMP_S);
    envelope.gain.exponentialRampToValueAtTime(0.06, at + length - RAMP_S);
    envelope.gain.linearRampToValueAtTime(0, at + length);
    note.connect(envelope).connect(audio.destination);
    note.start(at);
    note.stop(at + length);
  }
}

// The one sound of a change from what the page showed before; undefined if there is none.
function soundOf(before, now) {
  const passed = (seconds, at) => before.clocks[at] > 60 && seconds <= 60 && seconds > 55;
  if (now.finished && !before.finished) return "end";
  if (now.refusals.some((one) => !before.refusals.includes(one))) return "refused";
  if (now.isOwnTurn && !before.isOwnTurn) return "turn";
  if (now.ply > before.ply) return "laid";
  if (now.clocks.some(passed)) return "minute";
}

const { dataset } = document.body;
const box = document.querySelector("[data-device=sounds] input");
const scores = document.getElementById("scores");
const audio = new AudioContext();
let older = 0; // tabs that sound before this one
let before = shown();

// What the page shows; null where nobody sees it, or the table is away.
function shown() {
  if (document.hidden || dataset.connected !== "true") return null;
  const all = (selector) => [...document.querySelectorAll(selector)];
  return {
    ply: Number(dataset.ply),
    finished: dataset.finished === "true",
    refusals: all("#state .refusal").map((card) => card.textContent),
    clocks: all("#scores .time[data-left]").map((clock) =>
      clock.textContent.split(":").reduce((sum, part) => 60 * sum + Number(part), 0),
    ),
    isOwnTurn: all(`#seats [data-colors~="${dataset.turn}"]`).some(
      (seat) => dataset.phone && seat.dataset.phone === dataset.phone,
    ),
  };
}

function follow() {
  const now = shown();
  const name = before && now && soundOf(before, now);
  before = now;
  // Of a device that was not touched yet nothing is kept for later.
  if (name && box.checked && !older && audio.state === "running") perform(audio, name);
}

// Lets somebody who switches the sounds on hear one.
export const sample = () => audio.resume().then(() => perform(audio, "laid"));

seenTabs("sounds", (count) => (older = count));
new MutationObserver(follow).observe(document.body, { attributeFilter: ["data-ply", "data-connected"] });
// Clocks run between the news. After a pause the first news are no change.
const clocks = new MutationObserver(() => before && follow());
clocks.observe(scores, { childList: true, characterData: true, subtree: true });
document.addEventListener("visibilitychange", () => (before = null));
for (const touch of ["pointerup", "keydown"]) document.addEventListener(touch, () => audio.resume());
addEventListener("storage", ({ key, newValue }) => {
  if (key === "sounds") box.checked = newValue === "on"; // chosen in another tab
});
