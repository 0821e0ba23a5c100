// On an organiser's pages: a short sound when one more table needs somebody.
(() => {
  "use strict";
  const count = () => Number(document.querySelector("[data-needs]")?.dataset.needs ?? 0);
  let known = count();
  document.addEventListener("htmx:afterSettle", () => {
    const now = count();
    if (now > known) window.tableSounds.play("call");
    known = now;
  });
})();
