// A wall that is longer than its screen shows the next part at each look: nobody scrolls there. Who
// has just read it by hand stays where they are.
let touched = -Infinity;
for (const by of ["wheel", "keydown", "pointermove"]) addEventListener(by, (act) => { touched = act.timeStamp; });
document.addEventListener("htmx:afterSwap", () => {
  "use strict";
  if (!window.matchMedia("(min-width: 40em)").matches) return; // On a phone a thumb does.
  if (performance.now() - touched < 60000) return;
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
  window.scrollTo(0, scrollTop + clientHeight < scrollHeight - 1 ? scrollTop + clientHeight : 0);
});
