// Waits until a real table stands where the simulated one was, then asks it for the camera's code.
"use strict";
(async () => {
  const GLANCE_MS = 500;
  for (;;) {
    await new Promise((done) => setTimeout(done, GLANCE_MS));
    try {
      const answer = await fetch("/camera/state", { signal: AbortSignal.timeout(GLANCE_MS) });
      if (answer.ok && (await answer.json()).takes) break;
    } catch {
      // nothing listens between the two tables
    }
  }
  document.getElementById("code").submit();
})();
