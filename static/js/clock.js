// Counts a round's clock on between two visits to the server; needs no clock that agrees with it.
(() => {
  "use strict";
  const since = new WeakMap();

  function tick() {
    for (const clock of document.querySelectorAll("[data-clock][data-running]")) {
      if (!since.has(clock)) since.set(clock, performance.now());
      const left = Number(clock.dataset.clock) - Math.floor((performance.now() - since.get(clock)) / 1000);
      const seconds = Math.abs(left);
      clock.querySelector("[data-time]").textContent =
        `${left < 0 ? "−" : ""}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      clock.classList.toggle("clock-over", left < 0);
    }
  }

  setInterval(tick, 500);
})();
