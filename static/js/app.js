// Small comforts. Every page works without this file; it is loaded in <head> so that the chosen
// theme is there before the first paint.
(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");

  // From 150 % on, of the root's size or of the browser's zoom, nothing is fixed and rows stack.
  function enlarge() {
    const large = parseFloat(getComputedStyle(root).fontSize) >= 24 || matchMedia("(max-width: 17rem)").matches;
    if (root.classList.toggle("large-text", large)) document.getElementById("large-text").rel = "stylesheet";
  }

  enlarge();
  addEventListener("resize", enlarge);
  new ResizeObserver(() => requestAnimationFrame(enlarge)).observe(root);

  function remembered(key) {
    try { return localStorage.getItem(key); } catch { return null; }
  }

  function remember(key, value) {
    try { localStorage.setItem(key, value); } catch { /* private mode: it lasts for this page */ }
  }

  for (const key of ["theme", "deck"]) {
    if (remembered(key)) root.dataset[key] = remembered(key);
  }

  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;

  function set(key, value) {
    root.dataset[key] = value;
    remember(key, value);
    showPressed();
  }

  function showPressed() {
    for (const button of document.querySelectorAll("[data-toggle]")) {
      const what = button.dataset.toggle;
      const on = { theme: isDark(), deck: root.dataset.deck === "four" }[what] ?? what === (root.dataset.theme || "auto");
      button.setAttribute("aria-pressed", String(on));
    }
  }

  const toggles = {
    theme: () => set("theme", isDark() ? "light" : "dark"),
    light: () => set("theme", "light"),
    dark: () => set("theme", "dark"),
    auto: () => set("theme", ""),
    deck: () => set("deck", root.dataset.deck === "four" ? "two" : "four"),
  };

  // The server shows times by this clock, from the next page on.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
  if (zone && !document.cookie.includes(`zone=${zone};`) && !document.cookie.endsWith(`zone=${zone}`)) {
    document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
  }

  function say(text) {
    const live = document.getElementById("live");
    if (live) live.textContent = text;
  }

  // A form that comes back goes on at its first wrong field, and its title says so; what a page tells
  // after a redirect stands before its main part, and is said.
  document.addEventListener("DOMContentLoaded", () => {
    const wrong = document.querySelector("body[data-answer] main [aria-invalid=true]:not([type=hidden])");
    const messages = document.getElementById("messages");
    if (wrong) {
      document.title = `${messages.dataset.wrong}: ${document.title.trim()}`;
      wrong.focus();
    }
    const told = [...messages?.querySelectorAll(".message > p") ?? []].map((one) => one.textContent.trim());
    if (told.length) setTimeout(say, 500, told.join(" "));
  });

  async function copy(button) {
    const text = button.dataset.copy || location.href;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Browsers give the clipboard to https pages only; a club's LAN has plain http.
      const area = document.createElement("textarea");
      area.value = text;
      area.className = "visually-hidden";
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      button.focus();
    }
    const label = button.querySelector("[data-label]") || button;
    say(button.dataset.copied);
    // The second tap of two.
    if (label.textContent === button.dataset.copied) return;
    const before = [...label.childNodes];
    label.textContent = button.dataset.copied;
    setTimeout(() => label.replaceChildren(...before), 2000);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-toggle], [data-copy], [data-print], [data-close]");
    if (!button) return;
    if (button.dataset.toggle) toggles[button.dataset.toggle]();
    if ("copy" in button.dataset) copy(button);
    if ("print" in button.dataset) window.print();
    if ("close" in button.dataset) button.closest(".message").remove();
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]"), input = button?.parentElement.querySelector("input");
    input?.[button.dataset.step > 0 ? "stepUp" : "stepDown"]();
  });

  // A likely answer fills its field by one tap.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-fill]"), field = document.getElementById(button?.dataset.fill);
    if (!field) return;
    field.value = button.dataset.value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });

  // A link to what is folded opens it; without script one taps once more where the link leads.
  const unfold = (hash) => {
    let at = hash && document.getElementById(hash.slice(1))?.closest("details");
    for (; at; at = at.parentElement.closest("details")) at.open = true;
  };
  document.addEventListener("click", (event) => unfold(event.target.closest("a[href^='#']")?.hash));
  document.addEventListener("DOMContentLoaded", () => unfold(location.hash));

  // A report of a mistake opens behind the doors, or below them.
  document.addEventListener("click", ({ target }) => {
    const report = target.closest(".my-games summary")?.parentNode;
    setTimeout(() => report?.scrollIntoView({ block: "nearest" }));
  });

  // What a reader has opened is not drawn again under the finger.
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const at = event.detail.target;
    if (at.open || at.querySelector("details[open]")) event.preventDefault();
  });

  // Phones hand a text to any app; other browsers have the button that copies it.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-send]");
    if (button) navigator.share({ text: button.dataset.send }).catch(() => { /* thought better of it */ });
  });

  // An open menu covers what is tapped or read next: a tap beside it and Escape close it.
  const openMenus = () => [...document.querySelectorAll("details.menu[open]")];
  document.addEventListener("click", ({ target }) => {
    for (const menu of openMenus()) if (!menu.contains(target)) menu.open = false;
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    for (const menu of openMenus()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });

  // A picture goes to any app as a file; it was fetched before the tap, after which little time is left.
  const pictures = new Map();
  async function offerPicture(button) {
    // It is drawn first, and nobody waits.
    const answer = await window.ask.ours(button.dataset.sendPicture, { ms: 30_000 });
    if (!answer.ok) return;
    const file = new File([await answer.blob()], `${button.dataset.name}.png`, { type: "image/png" });
    pictures.set(button, file);
    button.hidden = button.tagName === "BUTTON" && !navigator.canShare?.({ files: [file] });
  }
  document.addEventListener("click", (event) => {
    const file = pictures.get(event.target.closest("[data-send-picture]"));
    if (!file || !navigator.canShare?.({ files: [file] })) return;
    event.preventDefault();
    navigator.share({ files: [file] }).catch(() => { /* thought better of it */ });
  });

  // A thumb that taps twice sends a form once. Whoever comes back to the page may send it again.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post") return;
    if ("sent" in form.dataset) { event.preventDefault(); return; }
    form.dataset.sent = "";
    event.submitter?.setAttribute("aria-busy", "true");
    setTimeout(resend, 10000, form);
  });

  function resend(form) {
    delete form.dataset.sent;
    for (const button of form.querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
  }
  window.addEventListener("pageshow", () => document.querySelectorAll("form[data-sent]").forEach(resend));

  // Selects that filter a list send their form at once; without script the form has its button.
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-autosubmit]")) event.target.form.requestSubmit();
  });

  // Of many names a few letters leave the right ones, with or without accents.
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").replace(/đ/gi, "d").toLowerCase();

  function narrow(box) {
    const words = plain(box.value).split(/\s+/);
    for (const one of document.querySelectorAll(box.dataset.narrows)) {
      const text = plain(one.textContent);
      one.hidden = !words.every((word) => text.includes(word));
    }
  }

  document.addEventListener("input", (event) => { if (event.target.matches("[data-narrows]")) narrow(event.target); });
  document.addEventListener("focusin", (event) => { if (event.target.matches("[data-narrows]")) event.target.select(); });
  document.addEventListener("htmx:afterSwap", () => { document.querySelectorAll("[data-narrows]").forEach(narrow); });

  // An app for who wants one: browsers allow it on https and on this computer only.
  if ("serviceWorker" in navigator && window.isSecureContext) {
    window.addEventListener("load", () => {
      navigator.serviceWorker.register(`/sw.js?language=${root.lang}`).catch(() => { /* the site works without */ });
    });
    // What gets news here may have a new address, or none any more (service_worker.js).
    const subscribed = remembered("subscribed");
    if (subscribed && subscribed !== "gone") {
      navigator.serviceWorker.addEventListener("message", ({ data }) => remember("subscribed", data.subscribed));
      navigator.serviceWorker.ready.then(({ active }) => active.postMessage({ subscribed }));
    }
  }

  let install = null;
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    install = event;
    for (const button of document.querySelectorAll("[data-install]")) button.hidden = false;
    offerApp();
  });
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-install], [data-install-later]");
    if (!button) return;
    button.closest("[data-install-card]")?.setAttribute("hidden", "");
    if (!install || "installLater" in button.dataset) return;
    button.hidden = true;
    await install.prompt();
    install = null;
  });

  // After a night, once: an iPhone is told the three taps, others get the browser's own question.
  function offerApp() {
    const card = document.querySelector("[data-install-card]");
    const isPhoneOfApple = /iPhone|iPad|iPod/.test(navigator.userAgent);
    const isApp = navigator.standalone || matchMedia("(display-mode: standalone)").matches;
    if (!card || isApp || remembered("app-offered") || !(install || isPhoneOfApple)) return;
    card.hidden = false;
    card.querySelector("[data-install-steps]").hidden = Boolean(install);
    addEventListener("pagehide", () => remember("app-offered", "1"), { once: true });
  }

  // Where an app of the phone takes the text, copying it is the second way.
  function offerShare(button) {
    button.hidden = false;
    const copy = button.parentElement.querySelector("[data-copy].btn-primary");
    for (const one of copy ? [copy, button] : []) one.classList.toggle("btn-primary");
  }

  document.addEventListener("DOMContentLoaded", () => {
    offerApp();
    for (const field of document.querySelectorAll("input[data-script]")) field.value = "1";
    showPressed();
    if (navigator.share) document.querySelectorAll("button[data-send][hidden]").forEach(offerShare);
    if (navigator.canShare) document.querySelectorAll("[data-send-picture]").forEach((b) => offerPicture(b).catch(() => {}));
  });
})();
