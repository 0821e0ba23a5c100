// A wall that is longer than its screen shows the next part at each look: nobody scrolls there.
document.addEventListener("htmx:afterSwap", () => {
  "use strict";
  if (!window.matchMedia("(min-width: 40em)").matches) return; // On a phone a thumb does.
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
  window.scrollTo(0, scrollTop + clientHeight < scrollHeight - 1 ? scrollTop + clientHeight : 0);
});
