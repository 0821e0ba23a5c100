// Keys for those who like them; the box of ? lists them. Never while somebody types, never with Ctrl, Alt or Meta,
// and whoever speaks to the computer or hits keys by chance turns them off in the same box.
(() => {
  "use strict";
  const box = document.getElementById("keys");
  if (!box || typeof box.showModal !== "function") return;
  const OFF = "keys-off";
  const places = { h: box.dataset.home, c: box.dataset.clubs, p: box.dataset.play, l: box.dataset.learn };
  const single = box.querySelector("[data-keys-on]");
  let going = 0;

  function isOff() {
    try { return localStorage.getItem(OFF) === "1"; } catch { return false; }
  }

  single.checked = !isOff();
  single.addEventListener("change", () => {
    try { localStorage.setItem(OFF, single.checked ? "0" : "1"); } catch { /* it lasts for this page */ }
  });

  // What this page adds: elements with data-key, each once.
  const own = () => [...document.querySelectorAll("[data-key]")].filter((element) => element.offsetParent !== null);

  function list() {
    const rows = own().map((element) => {
      const row = document.createElement("div");
      const term = document.createElement("dt");
      const key = document.createElement("kbd");
      const what = document.createElement("dd");
      key.textContent = { ArrowLeft: "←", ArrowRight: "→" }[element.dataset.key] || element.dataset.key;
      what.textContent = element.dataset.keyName || element.textContent.trim();
      term.append(key);
      row.append(term, what);
      return row;
    });
    box.querySelector("[data-keys-here]").replaceChildren(...rows);
  }

  function help() {
    list();
    box.showModal();
  }

  function find() {
    const fields = [...document.querySelectorAll("#search-words")];
    const field = fields.find((one) => one.offsetParent !== null);
    if (!field) location.assign(box.dataset.search);
    else { field.focus(); field.select(); }
  }

  function act(key) {
    if (Date.now() - going < 1500) {
      going = 0;
      if (places[key]) location.assign(places[key]);
      return true;
    }
    if (key === "?") help();
    else if (key === "/") find();
    else if (key === "g") going = Date.now();
    else {
      const element = own().find((one) => one.dataset.key === key);
      if (!element) return false;
      element.click();
    }
    return true;
  }

  // Before any other listener, so that the second key of "g p" does not pass at a table.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    if (box.open || document.querySelector("dialog[open]")) return;
    const typing = event.target.closest?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");
    if (typing) return;
    const letter = event.key.length === 1 && event.key !== " ";
    if (letter && isOff()) return event.stopImmediatePropagation();
    if (!letter && !event.key.startsWith("Arrow")) return;
    if (act(event.key)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, true);

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-keys-help]")) help();
    else if (event.target === box) box.close();
  });
})();
