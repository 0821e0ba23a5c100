// Of the likely values the one that counts is marked. Seldom settings are open where they have room
// beside the others. Who leaves settings that are not saved is asked first; what is sent or
// discarded asks nothing.
(() => {
  "use strict";
  const mark = () => {
    for (const one of document.querySelectorAll(".plan [data-fill]")) {
      one.setAttribute("aria-pressed", document.getElementById(one.dataset.fill).value === one.dataset.value);
    }
  };
  addEventListener("input", mark);
  mark();
  const beside = document.querySelector(".plan-more[data-beside]");
  if (beside && matchMedia("(min-width: 64rem)").matches) beside.open = true;
  if (!document.getElementById("not-saved")) return;
  let leaves = false;
  addEventListener("submit", () => { leaves = true; });
  document.querySelector(".dock a").addEventListener("click", () => { leaves = true; });
  addEventListener("beforeunload", (event) => { if (!leaves) event.preventDefault(); });
})();
