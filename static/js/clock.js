// Counts a round's clock on between two visits to the server; needs no clock that agrees with it.
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
  }

  setInterval(tick, 500);
})();
