// Seldom settings are open where they have room beside the others. Who leaves settings that are not
// saved is asked first; what is sent or discarded asks nothing.
(() => {
  "use strict";
  const beside = document.querySelector(".plan-more[data-beside]");
  if (beside && matchMedia("(min-width: 64rem)").matches) beside.open = true;
  if (!document.getElementById("not-saved")) return;
  let leaves = false;
  addEventListener("submit", () => { leaves = true; });
  document.querySelector(".dock a").addEventListener("click", () => { leaves = true; });
  addEventListener("beforeunload", (event) => { if (!leaves) event.preventDefault(); });
})();
