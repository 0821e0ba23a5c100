// Counts a round's clock on between two visits to the server, which needs no clock that agrees with it, and the minutes
// of a table's game, where this clock may be right.
(() => {
  "use strict";
  const since = new WeakMap();

  function tick() {
    for (const clock of document.querySelectorAll("[data-clock][data-running]")) {
      if (!since.has(clock)) since.set(clock, performance.now());
      const left = Number(clock.dataset.clock) - Math.floor((performance.now() - since.get(clock)) / 1000);
      const over = -Math.floor(left / 60);
      clock.querySelector("[data-time]").textContent = left >= 0
        ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`
        : over > 60 ? "" : clock.dataset.over.replace("N", over);
      clock.classList.toggle("clock-over", left < 0);
      clock.classList.toggle("clock-soon", left >= 0 && left < 60);
    }
    for (const one of document.querySelectorAll("[data-since]")) {
      const n = Math.floor((Date.now() / 1000 - one.dataset.since) / 60), told = one.dataset.told.replace("N", n);
      if (n > 0 && n < 100 && one.textContent !== told) one.textContent = told;
    }
  }

  tick();
  setInterval(tick, 500);
})();
