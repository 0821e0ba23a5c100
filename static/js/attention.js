// On an organiser's pages: a short sound when one more table needs somebody.
(() => {
  "use strict";
  const count = () => [...document.querySelectorAll("[data-needs]")]
    .reduce((sum, one) => sum + Number(one.dataset.needs), 0);
  let known = count();
  document.addEventListener("htmx:afterSettle", () => {
    const now = count();
    if (now > known) window.tableSounds.play("call");
    known = now;
  });
})();
