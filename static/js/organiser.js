// A night's next step without a network: what needs the server says so, and is not sent into the void.
(() => {
  "use strict";
  const notice = document.querySelector("[data-needs-network]");
  if (!notice) return;
  const show = () => { notice.hidden = navigator.onLine; };
  const isStep = (target) => target.closest?.(".next-step, .early, [data-ends]");

  addEventListener("online", show);
  addEventListener("offline", show);
  for (const kind of ["click", "submit"]) document.addEventListener(kind, (event) => {
    if (navigator.onLine || !isStep(event.target)?.contains(event.target)) return;
    if (kind === "click" && !event.target.closest("a[href], button")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    event.target.closest(".menu")?.removeAttribute("open");
    show();
    notice.scrollIntoView({ block: "nearest" });
  }, true);
  show();
})();
