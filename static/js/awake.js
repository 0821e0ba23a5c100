// Keeps a phone's screen on while what [data-while] names is on the page and somebody sees the page.
(() => {
  "use strict";
  if (!("wakeLock" in navigator)) return;
  const { while: wanted } = document.currentScript.dataset;
  let lock = null, busy = false, refused = false;
  const isNeeded = () => !document.hidden && document.querySelector(wanted) !== null;

  async function look() {
    if (busy || refused) return;
    busy = true;
    try {
      while (isNeeded() !== Boolean(lock)) {
        if (lock) {
          await lock.release();
          lock = null;
        } else {
          lock = await navigator.wakeLock.request("screen");
          lock.addEventListener("release", () => { lock = null; }); // As browsers do with hidden pages.
        }
      }
    } catch {
      refused = true; // As by a phone that saves power: it is asked again when the page is next seen.
    }
    busy = false;
  }

  document.addEventListener("visibilitychange", () => { refused = false; look(); });
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  look();
})();
