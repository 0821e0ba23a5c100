// For pages that ask for parts of themselves: what comes anew takes over from what was there.
(() => {
  "use strict";

  function say(text) {
    document.getElementById("live").textContent = text;
  }

  // What the server sends anew knows nothing of who uses the page: the focus goes on where it was,
  // what was open stays open, what was typed stays, and [data-says] is said where it is new.
  const CONTROLS = "a[href], button:not(:disabled), input:not([type=hidden]), select, textarea, summary";
  const FIELDS = "input:not([type=hidden], [type=checkbox], [type=radio]), textarea";
  const { htmx, typing } = window;
  const trimmed = (element) => element.textContent.trim().replace(/\s+/g, " ");
  let before = null;

  // Nothing moves under a finger: what others do waits until nobody has touched the page for a moment, and a
  // tap that meets a name which has just moved means nothing: the name shakes.
  const SETTLE = 1200, MOVED = 350;
  const moves = new Map();
  let touched = 0;
  const chips = () => [...document.querySelectorAll("[data-settles] .chips button")];
  const top = () => document.querySelector("[data-settles] .chips")?.getBoundingClientRect().top || 0;
  const isAt = (chip, was) => { const now = chip.getBoundingClientRect(); return was && Math.hypot(now.x - was.x, now.y - was.y) < 9; };

  document.addEventListener("pointerdown", () => { touched = Date.now(); }, true);

  document.addEventListener("click", (event) => {
    const chip = event.target.closest("[data-settles] .chips button");
    // A tap that waited is clicked again below.
    if (!chip || !event.isTrusted) return;
    if (chip.getAttribute("aria-pressed") !== "true" && !(event.detail && Date.now() - moves.get(chip.value) < MOVED)) {
      chip.setAttribute("aria-pressed", "true");
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    chip.animate({ translate: ["-0.25rem", "0.25rem", "0"] }, 150);
  }, true);

  // What a control does: the same of two is the one that does the same, else has the same name.
  function deeds(control) {
    const hidden = [...(control.form?.querySelectorAll("[type=hidden]:not([name=csrfmiddlewaretoken])") || [])];
    const sent = [...hidden, control].map((field) => `${field.name}=${field.matches(FIELDS) || field.value}`).join("&");
    return [control.id, control.form ? `${control.form.action}?${sent}` : control.href, control.dataset.key, !control.form && trimmed(control), control.closest(".chips") && control.value];
  }

  function sayings(region) {
    return [...region.querySelectorAll("[data-says]")].map((element) => {
      const heard = element.cloneNode(true);
      for (const part of heard.querySelectorAll("[aria-hidden=true]")) part.remove();
      return trimmed(heard);
    });
  }

  // The focused control, then those that follow it, then those before it: the first that is still there. A name
  // that was tapped keeps the focus, keys go on in its list. No field is gone to.
  function candidates(region) {
    const now = document.activeElement, list = now.closest(".chips") && now.form;
    const controls = [...region.querySelectorAll(CONTROLS)].filter((one) => one === now || (list ? one.form === list : !one.matches(FIELDS)));
    const at = controls.indexOf(now), all = at < 0 ? [] : [...controls.slice(at), ...controls.slice(0, at).reverse()].map(deeds);
    return list ? [...(now.matches(":focus-visible") ? all.map((own) => own.slice(0, 4)) : []), deeds(now)] : all;
  }

  function refocus(region, wanted) {
    const seen = [...region.querySelectorAll(CONTROLS)].filter((control) => control.offsetParent !== null);
    const now = seen.map((control) => [control, deeds(control)]);
    for (const old of wanted) {
      const same = old.map((deed, i) => deed && now.find(([, own]) => own[i] === deed)).find(Boolean);
      if (same) return same[0].focus({ preventScroll: true });
    }
  }

  // `sender`: the form that was sent, if one was; `states`: of all fields when it was.
  function remember(region, sender, states) {
    return {
      id: region.id,
      places: new Map(chips().map((chip) => [chip.value, chip.getBoundingClientRect()])),
      top: top(),
      said: sayings(region),
      wanted: candidates(region),
      typed: typing.kept(region, states, (field) => sender && field.form === sender),
      open: sender ? [] : [...region.querySelectorAll("details[open] > summary")].map(trimmed),
    };
  }

  // A field that one is in stays where it is.
  const style = (region) => region.id && typing.focused(region) ? "around" : "outerHTML";
  htmx.config.defaultSwapStyle = "outerHTML";
  htmx.defineExtension("around", {
    handleSwap: (_, region, fragment) => typing.around(region, fragment.querySelector(`#${region.id}`), before.typed) && [region],
  });
  document.body.setAttribute("hx-ext", "around");

  const states = new WeakMap();
  document.addEventListener("htmx:beforeSend", ({ detail }) => { states.set(detail.xhr, typing.states(detail.target)); });

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const region = detail.target;
    const sender = detail.requestConfig.verb === "get" ? null : detail.requestConfig.elt.closest("form");
    before = remember(region, sender, states.get(detail.xhr));
    detail.swapOverride = style(region);
    // It is asked for again.
    if ("settles" in region.dataset && !sender && Date.now() - touched < SETTLE) detail.shouldSwap = false;
  });

  document.addEventListener("htmx:afterSwap", () => {
    const region = before && document.getElementById(before.id);
    if (!region) return;
    scrollBy(0, top() - before.top);
    for (const chip of chips()) if (!isAt(chip, before.places.get(chip.value))) moves.set(chip.value, Date.now());
    for (const tap of waiting) twin(tap)?.closest(".chips button")?.setAttribute("aria-pressed", "true");
    for (const summary of region.querySelectorAll("summary")) summary.parentNode.open ||= before.open.includes(trimmed(summary));
    typing.restore(before.typed, region);
    if (document.activeElement === document.body) refocus(region, before.wanted);
    const news = sayings(region).filter((text) => !before.said.includes(text)).join(" ");
    if (news) say(news);
    before = null;
  });

  // A tap on a part of the page that is on its way anew waits for it, and goes to the control there
  // that does the same: on a slow line every tap counts, in its order.
  const underway = new Set();
  const waiting = [];

  document.addEventListener("click", (event) => {
    const control = event.target.closest("a[hx-get], form[hx-post] button");
    const region = control?.closest("[hx-target]")?.getAttribute("hx-target").slice(1);
    if (!region || event.ctrlKey || event.metaKey || event.shiftKey) return;
    control.setAttribute("aria-busy", "true");
    if (!underway.has(region)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    waiting.push([region, deeds(control)]);
  }, true);

  function twin([id, [, deed, key]]) {
    const controls = [...(document.getElementById(id)?.querySelectorAll(CONTROLS) || [])];
    return controls.find((control) => { const own = deeds(control); return own[1] === deed || (key && own[2] === key); });
  }

  function goOn() {
    while (waiting.length && !underway.has(waiting[0][0])) twin(waiting.shift())?.click();
  }

  function clear() {
    for (const old of document.querySelectorAll(".toast")) old.remove();
  }

  function noAnswer({ detail }) {
    // A page that only asks what is new: taps that waited for its answer go on.
    if (!detail.requestConfig?.triggeringEvent) { setTimeout(goOn); return; }
    waiting.length = 0;
    for (const control of document.querySelectorAll("[aria-busy]")) control.removeAttribute("aria-busy");
    for (const chip of document.querySelectorAll("[data-settles] [aria-pressed]")) chip.removeAttribute("aria-pressed");
    const words = document.getElementById("no-answer");
    if (!words) return;
    clear();
    document.getElementById("messages").append(words.content.cloneNode(true));
  }

  document.addEventListener("htmx:beforeRequest", (event) => {
    const { target, requestConfig } = event.detail;
    // Nobody looks at what is new.
    if (document.hidden && !requestConfig.triggeringEvent) event.preventDefault();
    else underway.add(target.id);
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    underway.delete(detail.target.id);
    for (const control of [detail.elt, ...detail.elt.querySelectorAll("[aria-busy]")]) control.removeAttribute("aria-busy");
    // Until then htmx holds the form that was sent.
    if (detail.successful) setTimeout(goOn);
  });
  document.addEventListener("htmx:afterSwap", clear);
  for (const failure of ["sendError", "timeout", "responseError"]) document.addEventListener(`htmx:${failure}`, noAnswer);
})();
