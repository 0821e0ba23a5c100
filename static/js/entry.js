// Entering a game: taps set the places at once, and a saved game goes into the queue, so that the
// next one can be entered without waiting. The page works without this file too: then every tap is
// sent, and the server answers with the same picture.
(() => {
  "use strict";
  const box = document.querySelector("[data-entry]");
  if (!box) return;
  const form = box.closest("form");
  const buttons = [...box.querySelectorAll("[data-tap]")];
  const players = buttons.map((button) => button.value);
  const names = Object.fromEntries(
    buttons.map((button) => [button.value, button.querySelector("[data-name]").textContent]));
  const field = box.querySelector("[data-order]");
  const specialField = box.querySelector("[data-specials]");
  const specialForm = box.querySelector("[data-special-form]");
  const told = box.querySelector("[data-told]");
  const preview = box.querySelector("[data-preview]");
  const save = form.querySelector("[data-save]");
  let groups = field.value ? field.value.split(",").map((part) => part.split("+")) : [];
  let specials = specialField.value ? specialField.value.split(";") : [];
  const lines = told ? [...told.querySelectorAll("span")].map((line) => line.textContent) : [];

  const placed = () => groups.flat();
  const rest = () => players.filter((player) => !placed().includes(player));
  const text = () => groups.map((group) => group.join("+")).join(",");

  function say(text) {
    document.getElementById("live").textContent = text;
  }

  function dropSpecials(keep) {
    specials.forEach((special, i) => { if (!keep(special)) lines[i] = null; });
    specials = specials.filter(keep);
    lines.splice(0, lines.length, ...lines.filter((line) => line !== null));
  }

  const firstOut = "firstOut" in box.dataset;

  function tap(player) {
    const at = groups.findIndex((group) => group.includes(player));
    if (firstOut && at !== 0) groups = [[player]];
    else groups = at < 0 ? [...groups, [player]] : groups.slice(0, at);
    dropSpecials((special) => !/^(win|fin)[.]/.test(special));
    if (firstOut) dropSpecials((special) => !new RegExp(`^(left|cards|cong)[.]${player}([.]|$)`).test(special));
    if (rest().length === 1 || (firstOut && groups.length === 1)) groups.push(rest());
    show();
  }

  function shareRest() {
    if (groups.length && rest().length) groups.push(rest());
    show();
  }

  function show() {
    let rank = 1;
    const ranks = {};
    for (const group of groups) {
      for (const player of group) ranks[player] = rank;
      rank += group.length;
    }
    for (const button of buttons) {
      const own = ranks[button.value];
      button.className = own ? `tap tap-${own}` : "tap";
      button.setAttribute("aria-pressed", String(Boolean(own)));
      button.querySelector("[data-rank]").textContent = own || "";
    }
    field.value = text();
    specialField.value = specials.join(";");
    save.disabled = rest().length > 0;
    if (told) showSpecials();
    showPreview();
  }

  // Specials: the choices of the form, read from its radio buttons.
  const chosen = (name) => specialForm.querySelector(`input[name=${name}]:checked`);
  const label = (input) => input.closest("label").textContent.trim();

  function described() {
    const [kind, by, of, what] = ["kind", "by", "of", "what"].map(chosen);
    const last = (specials[specials.length - 1] || "").split(".");
    switch (kind && kind.value) {
      case "chop": return by && of && what && [`chop.${by.value}.${of.value}.${what.value}`, `${label(by)} → ${label(of)}: ${label(what)}`];
      case "chain": return by && what && [`chain.${by.value}.${last[1]}.${what.value}`, `${label(by)} → ${names[last[1]]}: ${label(what)}`];
      case "cards": {
        const count = chosen("count");
        return of && count && [`cards.${of.value}.${count.value}`, `${label(of)}: ${label(count)}`];
      }
      case "finish": return what && groups.length && [`fin.${groups[0][0]}.${what.value}`, `${names[groups[0][0]]}: ${label(what)}`];
      case "left": return of && what && [`left.${of.value}.${what.value}`, `${label(of)}: ${label(what)}`];
      case "cong": return of && [`cong.${of.value}`, label(of)];
      case "win": return by && [`win.${by.value}`, label(by)];
      default: return null;
    }
  }

  function addChosen() {
    const found = described();
    if (!found) return;
    const kind = chosen("kind");
    const line = `${label(kind)}: ${found[1]}`;
    if (found[0].startsWith("win.")) {
      groups = [[found[0].slice(4)]];
      groups.push(rest());
      specials = []; lines.length = 0;
    } else {
      dropSpecials((special) => !special.startsWith("win."));
    }
    specials.push(found[0]);
    lines.push(line);
    if (specialForm.contains(document.activeElement)) kind.focus({ preventScroll: true });
    for (const input of specialForm.querySelectorAll("input:checked")) input.checked = false;
    // One count comes after another: who is next is the only question.
    if (kind.value === "cards") kind.checked = true;
    say(line);
    show();
  }

  function removeSpecial(index) {
    if (specials[index].startsWith("win.")) groups = [];
    let end = index + 1;
    while (end < specials.length && specials[end].startsWith("chain.")) end += 1;
    specials.splice(index, end - index);
    lines.splice(index, end - index);
    show();
    specialForm.querySelector("summary").focus({ preventScroll: true });
  }

  function showSpecials() {
    const button = told.dataset.remove;
    told.replaceChildren(...lines.map((line, i) => {
      const item = document.createElement("li");
      const words = document.createElement("span");
      words.textContent = line;
      const out = box.querySelector("template[data-out]").content.firstElementChild.cloneNode(true);
      out.value = i;
      out.setAttribute("aria-label", button.replace("%s", line));
      item.append(words, " ", out);
      return item;
    }));
    const chain = box.querySelector("[data-chain]");
    const last = (specials[specials.length - 1] || "").split(".");
    if (chain) chain.hidden = !/^(chop|chain)$/.test(last[0]);
    showPossible(last[3]);
  }

  // The style sheet hides whom and which cards a kind of special cannot be about.
  function showPossible(beaten) {
    for (const what of specialForm.querySelectorAll("[data-on]")) {
      what.classList.toggle("no-chain", !what.dataset.on.split(" ").includes(beaten));
    }
    const [first, last] = [groups[0] || [], rest().length ? rest() : groups[groups.length - 1] || []];
    for (const input of specialForm.querySelectorAll("input[name=of]")) {
      const holds = last.includes(input.value) || specials.includes(`cong.${input.value}`);
      input.closest("label").classList.toggle("no-left", first.includes(input.value) || !holds);
      input.closest("label").classList.toggle("no-cong", first.includes(input.value));
    }
  }

  // The preview comes from the server, which knows what things cost.
  let asked = 0;
  async function showPreview() {
    const number = ++asked;
    if (rest().length) { preview.replaceChildren(); return; }
    const address = new URL(box.dataset.previewFrom, location.href);
    address.searchParams.set("order", field.value);
    address.searchParams.set("specials", specialField.value);
    let html;
    try {
      const answer = await fetch(address, { signal: soon(6000) });
      html = answer.ok && !answer.redirected ? await answer.text() : "";
    } catch {
      html = null;
    }
    if (number !== asked) return;
    if (html === null) preview.textContent = box.dataset.noPreview;
    else preview.innerHTML = html;
    const problem = preview.querySelector("[data-problem]");
    if (!problem) return;
    save.disabled = true;
    say(problem.textContent);
  }

  // The second tap of two on “Save the game” meets a tile of the next game, and means nothing there.
  let finger = null, saved = null;
  document.addEventListener("pointerdown", (event) => { finger = event; }, true);
  const isSecondTap = (event) => saved && event.detail > 0 && Date.now() - saved.at < 500
    && Math.hypot(event.clientX - saved.x, event.clientY - saved.y) < 24;

  box.addEventListener("click", (event) => {
    const button = event.target.closest("[data-tap], [data-share], [data-add], [data-remove]");
    if (!button) return;
    event.preventDefault();
    if (isSecondTap(event)) return;
    if ("tap" in button.dataset) tap(button.value);
    if ("share" in button.dataset) shareRest();
    if ("add" in button.dataset) addChosen();
    if ("remove" in button.dataset) removeSpecial(Number(button.value));
  });

  // As soon as nothing is missing the special is in: one tap less. Arrow keys pass over choices on
  // their way, so whoever uses keys has the button that adds it.
  if (specialForm) {
    const quick = (yes) => specialForm.classList.toggle("quick", yes);
    specialForm.addEventListener("pointerdown", () => quick(true));
    specialForm.addEventListener("keydown", () => quick(false));
    specialForm.addEventListener("change", () => { if (specialForm.classList.contains("quick")) addChosen(); });
    quick(true);
  }

  // Enter in a field presses the first button of a form, and here that is a player.
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("input")) return;
    event.preventDefault();
    if (specialForm?.contains(event.target)) addChosen();
    else save.click();
  });

  window.gameEntry = {
    get order() { return field.value; },
    get specials() { return specialField.value; },
    get complete() { return !save.disabled; },
    names: () => groups.map((group) => group.map((player) => names[player]).join(" = ")).join(", "),
    lines: () => [...lines],
    players, form, field, names_of: names,
    first: () => groups[0].map((player) => names[player]),
    last: () => {
      const last = groups[groups.length - 1];
      return names[players.filter((player) => last.includes(player)).pop()];
    },
    focus: () => buttons[0].focus({ preventScroll: true }),
    fill(order, given, words) {
      saved = finger && { x: finger.clientX, y: finger.clientY, at: Date.now() };
      groups = order ? order.split(",").map((part) => part.split("+")) : [];
      specials = given ? given.split(";") : [];
      lines.splice(0, lines.length, ...(words || []));
      if (specialForm) specialForm.open = specials.length > 0;
      show();
    },
  };
})();
