// Who leaves settings that are not saved is asked first; what is sent or discarded asks nothing.
(() => {
  "use strict";
  if (!document.getElementById("not-saved")) return;
  let leaves = false;
  addEventListener("submit", () => { leaves = true; });
  document.querySelector(".dock a").addEventListener("click", () => { leaves = true; });
  addEventListener("beforeunload", (event) => { if (!leaves) event.preventDefault(); });
})();
