// Has a photograph judged: makes it smaller, sends it, and shows what stands on the board.
"use strict";
(() => {
  const LONGEST_PX = 1600; // of a side; the table takes no more
  const QUALITIES = [0.85, 0.6, 0.3]; // the first that is short enough
  const PATIENCE_MS = 20000;
  const $ = (id) => document.getElementById(id);
  const words = $("judge").dataset;

  function show(code, said, markup = "") {
    $("said").dataset.code = code;
    $("said").textContent = said;
    $("said").hidden = false;
    $("judged").innerHTML = markup;
  }

  async function smaller(file) {
    const image = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, LONGEST_PX / Math.max(image.width, image.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(image.width * scale);
    canvas.height = Math.round(image.height * scale);
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    image.close();
    for (const quality of QUALITIES) {
      const body = await new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
      if (body.size <= Number(words.longest)) return body;
    }
    throw new Error("too long");
  }

  async function judge(body) {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const headers = { "Content-Type": "image/jpeg" };
    const answer = await fetch("/camera/judge", { method: "POST", body, signal, headers });
    if (answer.status === 403) return location.reload(); // it is not paired any more
    if (!answer.ok) throw new Error(answer.statusText);
    const found = await answer.json();
    show(found.code, found.said, found.markup);
  }

  $("choose").addEventListener("click", () => $("photograph").click());
  $("photograph").addEventListener("change", async () => {
    const [file] = $("photograph").files;
    if (!file) return;
    $("choose").disabled = true;
    show("waiting", words.wait);
    const body = await smaller(file).catch(() => null);
    await (body ? judge(body).catch(() => show("refused", words.lost)) : show("refused", words.damaged));
    $("photograph").value = ""; // so that the same one can be chosen again
    $("choose").disabled = false;
  });
})();
