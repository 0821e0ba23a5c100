// Names of a first night: each becomes a face as it is typed or pasted; the server reads them.
(() => {
  "use strict";

  const field = () => document.getElementById("new-name");

  function ready() {
    field().rows = 1;
    const button = document.querySelector("[data-draw]");
    if (button) button.disabled = "few" in button.dataset && !field().value.trim();
  }

  // What was typed moves into the form at once, so that nothing is lost while the server reads it.
  function read() {
    const typed = field();
    if (typed.value.trim()) {
      const line = Object.assign(document.createElement("input"), { type: "hidden", name: "text", value: typed.value });
      typed.before(line);
      typed.value = "";
    }
    window.htmx.trigger(typed.form, "look");
  }

  document.addEventListener("keydown", (event) => {
    if (event.target !== field() || event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    read();
  });

  document.addEventListener("input", (event) => {
    if (event.target !== field()) return;
    if (/[,;\n]/.test(event.target.value)) read();
    ready();
  });

  document.addEventListener("change", (event) => {
    // The sentence says what was chosen, and a line that is a name after all becomes a face.
    if (event.target.closest(".recipe, [name=plays]")) read();
  });

  document.addEventListener("click", (event) => {
    const chip = event.target.closest(".names-box [name=edit]");
    if (!chip) return;
    event.preventDefault();
    chip.closest("li").remove();
    read(); // An answer that is on its way has this name still.
    field().value = chip.value;
    field().focus();
    ready();
  });

  // The fields of how it is played stay as they are, open and half typed; only their sentence is new.
  let kept, focused;
  document.addEventListener("htmx:beforeSwap", () => {
    kept = document.querySelector(".recipe");
    focused = kept.contains(document.activeElement) && document.activeElement;
  });
  document.addEventListener("htmx:afterSwap", () => {
    const fresh = document.querySelector(".recipe");
    if (fresh === kept || !kept.open || fresh.querySelector(".field-errors, [aria-invalid=true]")) return;
    kept.querySelector("summary").replaceWith(fresh.querySelector("summary"));
    fresh.replaceWith(kept);
    if (focused) focused.focus({ preventScroll: true });
  });

  // The names outlive a reload, the way back, and a tab that the system closed.
  const NAMES = "names-of-tonight";

  function remember() {
    const names = new FormData(field().form).getAll("text").join("\n").trim();
    try { sessionStorage.setItem(NAMES, names); } catch { /* They last as long as this page. */ }
  }

  function recall() {
    const isNew = performance.getEntriesByType("navigation")[0]?.type === "navigate";
    if (isNew || field().value.trim() || document.querySelector(".names-box li")) return;
    try { field().value = sessionStorage.getItem(NAMES) || ""; } catch { /* as above */ }
    if (field().value) read();
  }

  addEventListener("pagehide", remember);
  document.addEventListener("visibilitychange", remember);
  document.addEventListener("htmx:afterSettle", ready);
  document.addEventListener("DOMContentLoaded", () => {
    recall();
    ready();
    const form = field().form;
    if (!("asks" in form.dataset)) return;
    form.elements.place.value = ""; // The browser's clock was not known before this page.
    read();
  });
})();
