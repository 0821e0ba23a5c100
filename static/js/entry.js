// Entering a game: taps set the places at once, and a saved game goes into the queue, so that the
// next one can be entered without waiting. The page works without this file too: then every tap is
// sent, and the server answers with the same picture.

// What each tap does to an entry: the same as in league/nights/domain/entry.py. One table of cases,
// tests/league/nights/entry_cases.json, tests both. An entry has players, groups, specials (each
// with its text), firstOut where the game ends when the first player is out, and checks: the rules
// that problem() asks about.
const entryRules = (() => {
  "use strict";
  const MOST_SPECIALS = 20;
  const is = (special, kinds) => kinds.includes(special.text.split(".")[0]);
  const losesOnTwos = (special) => is(special, ["fin"]) && /^2+$/.test(special.text.split(".")[2]);
  const rest = (entry) => entry.players.filter((player) => !entry.groups.flat().includes(player));

  // The index of the first free place: one that was freed, a group without players, else the next.
  function asked({ groups }) {
    const freed = groups.findIndex((group) => !group.length);
    return freed < 0 ? groups.length : freed;
  }

  function shareRest(entry) {
    const groups = entry.groups.filter((group) => group.length), last = rest(entry);
    return groups.length && last.length ? { ...entry, groups: [...groups, last] } : entry;
  }

  function tap(entry, player) {
    if (!entry.players.includes(player)) return entry;
    const at = entry.groups.findIndex((group) => group.includes(player)), next = asked(entry);
    const only = entry.firstOut && at !== 0;
    const kept = only ? [] : rest(entry).length ? entry.groups : entry.groups.slice(0, -1);
    const groups = kept.map((group) => (group.includes(player) ? [] : group));
    if (only || at < 0 || at > next) groups.splice(next, 1, [player]);
    while (groups.length && !groups[groups.length - 1].length) groups.pop();
    const stays = (special) => !is(special, ["win", "fin"])
      && !(entry.firstOut && is(special, ["left", "cards", "cong"]) && special.text.split(".")[1] === player);
    const after = { ...entry, groups, specials: entry.specials.filter(stays) };
    return entry.firstOut || rest(after).length === 1 ? shareRest(after) : after;
  }

  function ranks({ groups }) {
    let rank = 1;
    const found = [];
    for (const group of groups) {
      found.push(...group.map((player) => [rank, player]));
      rank += group.length || 1;
    }
    return found;
  }

  function add(entry, special) {
    if (is(special, ["win"])) {
      return shareRest({ ...entry, groups: [[special.text.split(".")[1]]], specials: [special] });
    }
    if (losesOnTwos(special)) {
      const loser = special.text.split(".")[1];
      const others = entry.players.filter((player) => player !== loser);
      return { ...entry, groups: [others, [loser]], specials: [...entry.specials, special] };
    }
    const others = entry.specials.filter((each) => !is(each, ["win"]));
    return { ...entry, specials: [...others, special].slice(0, MOST_SPECIALS) };
  }

  // A counter-chop goes with the chop that it was played on.
  function remove(entry, number) {
    const gone = entry.specials[number];
    if (!gone) return entry;
    let end = number + 1;
    while (end < entry.specials.length && is(entry.specials[end], ["chain"])) end += 1;
    const specials = [...entry.specials.slice(0, number), ...entry.specials.slice(end)];
    return { ...entry, groups: is(gone, ["win"]) || losesOnTwos(gone) ? [] : entry.groups, specials };
  }

  function lastChop(entry) {
    const last = entry.specials[entry.specials.length - 1];
    return last && is(last, ["chop", "chain"]) ? last.text.split(".") : null;
  }

  // The special that the choices of the form describe; null while one is missing.
  function choose(entry, { kind, by, of, what, count }) {
    const chop = lastChop(entry);
    const words = {
      chop: ["chop", by, by !== of && of, what],
      chain: ["chain", by, chop && by !== chop[1] && chop[1], what],
      cards: ["cards", of, count],
      finish: ["fin", entry.groups.length && entry.groups[0][0], what],
      left: ["left", of, what],
      cong: ["cong", of],
      win: ["win", by],
    }[kind];
    return words && words.every(Boolean) ? words.join(".") : null;
  }

  // The kinds of special that cannot be about this player, as classes of the style sheet.
  function cannot(entry, player) {
    const [first, open] = [entry.groups[0] || [], rest(entry)];
    const last = open.length ? open : entry.groups[entry.groups.length - 1];
    const holds = last.includes(player) || entry.specials.some((each) => each.text === `cong.${player}`);
    return {
      "no-left": first.includes(player) || !holds,
      "no-cong": first.includes(player),
    };
  }

  // Why a special cannot be where it is: `at` has its values by name, `earlier` those before it.
  const WRONG = {
    chop: ({ by, of }) => by === of && "self",
    chain: ({ by, of }, earlier) => {
      const before = earlier[earlier.length - 1];
      if (by === of) return "self";
      return !(["chop", "chain"].includes(before?.kind) && before.by === of) && "chain";
    },
    left: ({ of, what }, earlier, { first, last }) => {
      if (what === "3S" && earlier.some((one) => one.kind === "left" && one.of === of && one.what === what)) return "twice";
      const held = last.includes(of) || earlier.some((one) => one.kind === "cong" && one.of === of);
      return (!held || first.includes(of)) && "not_last";
    },
    cards: ({ of }, earlier, { first, last }) => {
      if (!last.includes(of) || first.includes(of)) return "not_last";
      return earlier.some((one) => one.kind === "cards" && one.of === of) && "twice";
    },
    fin: ({ by, what }, earlier, { first, last, groups }) => {
      if (/^2+$/.test(what)) {
        if (groups.length !== 2 || last.join() !== by) return "finish_last";
      } else if (!first.includes(by)) return "finish_first";
      return earlier.some((one) => one.kind === "fin") && "twice";
    },
    cong: ({ of }, earlier, { first }) => {
      if (first.includes(of)) return "cong_first";
      return earlier.some((one) => one.kind === "cong" && one.of === of) && "twice";
    },
    win: (_win, earlier) => earlier.length > 0 && "instant_win_alone",
  };
  const NAMES = {
    chop: ["by", "of", "what"], chain: ["by", "of", "what"], left: ["of", "what"], cards: ["of", "what"],
    fin: ["by", "what"], cong: ["of"], win: ["by"],
  };

  function named({ text }) {
    const [kind, ...values] = text.split(".");
    return { kind, ...Object.fromEntries(NAMES[kind].map((name, i) => [name, values[i]])) };
  }

  // Why the server would refuse these places with these specials: its code, or "". A phone without
  // a network asks this; check_specials of engine/rules/specials.py asks the same and more.
  function problem({ groups, specials, firstOut, checks }) {
    const all = specials.map(named);
    const [first, last] = [groups[0], groups[groups.length - 1]];
    const lost = all.some(({ kind, what }) => kind === "fin" && /^2+$/.test(what));
    if (firstOut && (groups.length !== 2 || groups[lost ? 1 : 0].length !== 1)) return "first_out";
    for (const [i, one] of all.entries()) {
      const code = WRONG[one.kind](one, all.slice(0, i), { first, last, groups });
      if (code) return code;
    }
    const win = all.find(({ kind }) => kind === "win");
    if (win) {
      if (all.length > 1) return "instant_win_alone";
      return groups.length === 2 && first.join() === win.by ? "" : "instant_win_places";
    }
    const alone = checks.includes("shares") ? groups.slice(0, -1) : groups;
    if (!firstOut && !lost && alone.some((group) => group.length !== 1)) return "shared";
    const ended = lost || (checks.includes("spades") && all.some(({ what }) => what === "3S"));
    return checks.includes("counts") && !ended ? uncounted(all, groups) : "";
  }

  function uncounted(all, groups) {
    const of = (kind) => all.filter((one) => one.kind === kind).map((one) => one.of);
    const [cong, counted] = [of("cong"), of("cards")];
    if (cong.some((player) => counted.includes(player))) return "counted_cong";
    const owe = groups[groups.length - 1].filter((player) => !cong.includes(player));
    const isWhole = owe.length === counted.length && owe.every((player) => counted.includes(player));
    return groups.length > 1 && !isWhole ? "cards_missing" : "";
  }

  return { rest, asked, ranks, tap, shareRest, add, remove, lastChop, choose, cannot, problem };
})();

(() => {
  "use strict";
  if (typeof document === "undefined") return;
  const box = document.querySelector("[data-entry]");
  if (!box) return;
  const form = box.closest("form");
  const buttons = [...box.querySelectorAll("[data-tap]")];
  const players = buttons.map((button) => button.value);
  const names = Object.fromEntries(
    buttons.map((button) => [button.value, button.querySelector("[data-name]").textContent]));
  const hints = [...box.querySelectorAll("[data-hint]")], question = box.querySelector("[data-asks]");
  const field = box.querySelector("[data-order]");
  const specialField = box.querySelector("[data-specials]");
  const specialForm = box.querySelector("[data-special-form]");
  const told = box.querySelector("[data-told]");
  const preview = box.querySelector("[data-preview]");
  const save = form.querySelector("[data-save]"), leave = form.querySelector("[data-leave]");
  const lines = told ? [...told.querySelectorAll("span")].map((line) => line.textContent) : [];
  const { rest, lastChop } = entryRules;
  const checks = box.dataset.checks.split(" ");
  const problems = JSON.parse(box.querySelector("script[type='application/json']").textContent);
  let changed = () => {};
  const read = (order, specials, words) => ({
    players,
    checks,
    firstOut: checks.includes("first-out"),
    groups: order ? order.split(",").map((part) => part.split("+").filter(Boolean)) : [],
    specials: specials ? specials.split(";").map((text, i) => ({ text, line: words[i] || text })) : [],
  });
  let entry = read(field.value, specialField.value, lines);

  function say(text) {
    document.getElementById("live").textContent = text;
  }

  function show() {
    const ranks = new Map(entryRules.ranks(entry).map(([rank, player]) => [player, rank]));
    const [open, last] = [rest(entry).length, entry.groups[entry.groups.length - 1] || []];
    for (const button of buttons) {
      const rank = ranks.get(button.value), own = people().length ? 0 : rank; // A question about people is not about places.
      button.className = own ? `tap tap-${own}` : "tap";
      button.classList.toggle("tap-last", Boolean(own) && !open && last.includes(button.value));
      button.setAttribute("aria-pressed", String(Boolean(own)));
      button.querySelector("[data-rank]").textContent = rank || "";
    }
    for (const one of hints) one.hidden = one !== hint();
    field.value = entry.groups.map((group) => group.join("+")).join(",");
    specialField.value = entry.specials.map((special) => special.text).join(";");
    const code = open ? "" : entryRules.problem(entry);
    save.disabled = Boolean(open || code || isRecorded());
    const begun = unfinished();
    save.setAttribute("aria-disabled", Boolean(begun)); // Pressed all the same, it says what is missing.
    leave.hidden = !begun;
    leave.textContent = box.dataset.sayLeave.replace("{kind}", begun.toLowerCase());
    if (told) showSpecials();
    if (specialForm) showAsked();
    if (code) clearPreview();
    else showPreview();
    if (code) showProblem(problems[code]);
    changed();
  }

  // Only a reason makes something of the same game.
  const isRecorded = () => box.dataset.recorded === `${field.value} ${specialField.value}` && !form.elements.reason.value.trim();
  save.disabled ||= isRecorded();
  form.elements.reason?.addEventListener("input", show);

  // The question of the felt: of the place that the next tap fills.
  const hint = () => hints[Math.min(entry.groups.length && entryRules.asked(entry) + 1, hints.length - 1)];

  // What a tap did, for whom no colour says it: the places so far, who has none, and what is asked.
  function sayPlaces() {
    const left = rest(entry), places = window.gameEntry.ranked().map((one) => one.join(" ")).join(", ");
    const words = { "{places}": places, "{left}": left.map((player) => names[player]).join(", ") };
    const sentence = !places ? box.dataset.sayNone : left.length ? `${box.dataset.sayLeft} ${hint().textContent}` : box.dataset.sayAll;
    say(sentence.replace(/\{(places|left)\}/g, (name) => words[name]));
  }

  // Specials: the choices of the form, read from its radio buttons.
  const chosen = (name) => specialForm.querySelector(`input[name=${name}]:checked`);
  const label = (input) => input.closest("label").innerText.trim().replace(/\s+/g, " "); // With a price that is seen.

  // The kind whose choices are not all made: the saved game would be without it, so who saves then is
  // told. After a count the next one may be chosen, or none.
  function unfinished() {
    const kind = specialForm && chosen("kind");
    return kind && (kind.value !== "cards" || chosen("of") || chosen("count")) ? label(kind) : "";
  }

  // Cards that only one player can have held are theirs without a tap.
  function onlyHolder() {
    const holders = [...specialForm.querySelectorAll("input[name=of]")].filter((input) => input.parentElement.checkVisibility());
    return holders.length === 1 ? holders[0] : null;
  }

  // Whom a kind of special is about: the faces on the felt answer, one question after the other.
  const PEOPLE = { chop: ["by", "of"], chain: ["by"], cards: ["of"], left: ["of"], cong: ["of"], win: ["by"] };
  const people = () => (specialForm && !specialForm.classList.contains("by-keys") && PEOPLE[chosen("kind")?.value]) || [];
  const answer = (name) => chosen(name) || (name === "of" ? onlyHolder() : null);
  const choice = (name, player) => specialForm.querySelector(`input[name=${name}][value="${player}"]`);

  function showAsked() {
    const names = people(), next = names.find((name) => !answer(name));
    question.hidden = !names.length;
    const asks = next || (chosen("kind")?.value === "cards" ? "count" : "what");
    question.textContent = names.length ? specialForm.querySelector(`.special-${asks} legend`).innerText : "";
    for (const button of buttons) {
      const isMeant = names.some((name) => answer(name)?.value === button.value);
      button.classList.toggle("tap-meant", isMeant);
      button.classList.toggle("tap-idle", names.length && !next && !isMeant);
      button.disabled = next && !isMeant && !choice(next, button.value).parentElement.checkVisibility();
    }
  }

  function answerWith(player) {
    const names = people(), again = names.map((name) => choice(name, player)).find((input) => input.checked);
    const next = names.find((name) => !answer(name));
    if (again) again.checked = false;
    else if (next) choice(next, player).checked = true;
    addChosen();
  }

  let held = null;
  function clearChosen() {
    for (const input of specialForm.querySelectorAll("input:checked")) input.checked = false;
    held = null;
  }

  function addChosen() {
    const found = Object.fromEntries(["kind", "by", "of", "what", "count"].map((name) => [name, chosen(name)]));
    found.of ||= onlyHolder();
    const { kind, by, of, what, count } = found;
    const values = Object.entries(found).map(([name, input]) => [name, input && input.value]);
    const text = entryRules.choose(entry, Object.fromEntries(values));
    if (!text) {
      show();
      specialForm.scrollIntoView({ block: "nearest" }); // What it asks, above the button that saves.
      return;
    }
    const about = {
      chop: () => `${label(by)} → ${label(of)}: ${label(what)}`,
      chain: () => `${label(by)} → ${names[text.split(".")[2]]}: ${label(what)}`,
      cards: () => `${label(of)}: ${label(count)}`,
      finish: () => `${names[text.split(".")[1]]}: ${label(what)}`,
      left: () => `${label(of)}: ${label(what)}`,
      cong: () => label(of),
      win: () => label(by),
    }[kind.value]();
    const line = `${label(kind)}: ${about}`;
    entry = entryRules.add(entry, { text, line });
    if (specialForm.contains(document.activeElement)) kind.focus({ preventScroll: true });
    clearChosen();
    // One count comes after another: who is next is the only question.
    kind.checked = kind.value === "cards" && !rest(entry).length && entryRules.problem(entry) === "cards_missing";
    say(line);
    show();
  }

  function showWithout() {
    show();
    specialForm.querySelector("input").focus({ preventScroll: true });
  }

  function removeSpecial(index) {
    entry = entryRules.remove(entry, index);
    showWithout();
  }

  leave.addEventListener("click", () => {
    clearChosen();
    showWithout();
  });

  function showSpecials() {
    const button = told.dataset.remove;
    told.replaceChildren(...entry.specials.map(({ line }, i) => {
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
    const chop = lastChop(entry);
    if (chain) chain.hidden = !chop;
    showPossible(chop || []);
  }

  // The style sheet hides whom and which cards a kind of special cannot be about.
  function showPossible([, chopper, , beaten]) {
    for (const what of specialForm.querySelectorAll("[data-on]")) {
      what.classList.toggle("no-chain", !what.dataset.on.split(" ").includes(beaten));
    }
    // Nobody chops their own cards.
    const kind = chosen("kind")?.value, by = chosen("by")?.value;
    const leave = (name, own, mark) => {
      for (const input of specialForm.querySelectorAll(`input[name=${name}]`)) {
        input.closest("label").classList.toggle(mark, input.value === own);
        if (input.value === own) input.checked = false;
      }
    };
    leave("of", kind === "chop" && by, "no-chop");
    leave("by", kind === "chain" && chopper, "no-chain");
    for (const input of specialForm.querySelectorAll("input[name=of]")) {
      for (const [mark, holds] of Object.entries(entryRules.cannot(entry, input.value))) {
        input.closest("label").classList.toggle(mark, holds);
      }
    }
  }

  // What the preview says of a player stands on their tile as well.
  function showSums() {
    for (const button of buttons) {
      const row = preview.querySelector(`[data-at="${button.value}"]`);
      const sum = button.querySelector("[data-sum]");
      sum.textContent = row ? row.dataset.sum.trim() : "";
      sum.classList.toggle("lost", Boolean(row) && row.dataset.sign.startsWith("-"));
    }
  }

  // Why nothing can be saved stands above the button.
  function showProblem(sentence) {
    const line = document.createElement("p");
    line.dataset.problem = "";
    line.textContent = sentence;
    form.querySelector("[data-problem]")?.remove();
    save.parentElement.prepend(line);
    say(sentence);
  }

  // The preview comes from the server, which knows what things cost.
  let asked = 0, previewed = "";
  function clearPreview() {
    asked += 1; // What is on its way speaks of other taps.
    preview.replaceChildren();
    showSums();
  }

  async function showPreview() {
    const number = ++asked;
    form.querySelector("[data-problem]")?.remove();
    if (rest(entry).length) { clearPreview(); return; }
    const address = new URL(box.dataset.previewFrom, location.href);
    address.searchParams.set("order", field.value);
    address.searchParams.set("specials", specialField.value);
    if (preview.firstElementChild && previewed === address.href) return;
    let html;
    try {
      const answer = await window.ask.ours(address, { ms: 6000 });
      html = answer.ok && !answer.redirected ? await answer.text() : "";
    } catch {
      html = null;
    }
    if (number !== asked) return;
    const isOpen = preview.querySelector("details")?.open;
    if (html === null) preview.textContent = box.dataset.noPreview;
    else preview.innerHTML = html;
    previewed = address.href;
    if (isOpen) preview.querySelector("details")?.setAttribute("open", "");
    showSums();
    const problem = preview.querySelector("[data-problem]");
    if (!problem) return;
    save.disabled = true;
    clearPreview();
    showProblem(problem.textContent);
  }

  // The sums unfold at the next frame, behind the bar that saves.
  preview.addEventListener("click", () => requestAnimationFrame(() => preview.scrollIntoView({ block: "nearest" })));

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
    saved = null;
    if ("tap" in button.dataset && people().length) answerWith(button.value);
    else if ("tap" in button.dataset) {
      entry = entryRules.tap(entry, button.value);
      sayPlaces();
      show();
    }
    if ("share" in button.dataset) {
      entry = entryRules.shareRest(entry);
      sayPlaces();
      show();
    }
    if ("add" in button.dataset) addChosen();
    if ("remove" in button.dataset) removeSpecial(Number(button.value));
  });

  // As soon as nothing is missing the special is in: one tap less. Arrow keys pass over choices on
  // their way, so whoever uses keys has the button that adds it.
  if (specialForm) {
    const quick = (yes) => specialForm.classList.toggle("by-keys", !yes);
    specialForm.addEventListener("pointerdown", () => quick(true));
    specialForm.addEventListener("keydown", () => quick(false));
    specialForm.addEventListener("change", () => {
      if (specialForm.classList.contains("by-keys")) show();
      else addChosen();
    });
    specialForm.addEventListener("click", ({ target }) => {
      if (target.name !== "kind") return;
      if (held === target && target.checked) {
        clearChosen();
        show();
      } else held = target;
    });
  }

  // Enter in a field presses the first button of a form, and here that is a player.
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("input")) return;
    event.preventDefault();
    if (specialForm?.contains(event.target)) addChosen();
    else save.click();
  });

  form.addEventListener("submit", (event) => {
    const begun = event.submitter?.name !== "void" && unfinished();
    if (!begun) return;
    event.preventDefault();
    showProblem(`${question.textContent} ${box.dataset.sayUnfinished.replace("{kind}", begun)}`.trim());
  });

  // What corrects a game by hand opens below the screen.
  const folded = box.closest("details");
  folded?.addEventListener("toggle", () => folded.scrollIntoView({ block: "nearest" }));
  if (folded && location.hash === "#correct") folded.open = true;

  window.gameEntry = {
    get order() { return field.value; },
    get specials() { return specialField.value; },
    get complete() { return !save.disabled && !unfinished(); },
    names: () => entry.groups.map((group) => group.map((player) => names[player]).join(" = ")).join(", "),
    lines: () => entry.specials.map((special) => special.line),
    ranked: () => entryRules.ranks(entry).map(([rank, player]) => [rank, names[player]]),
    players, form, field, problems,
    onChange(listener) { changed = listener; },
    ends(order) {
      const groups = order.split(",").map((part) => part.split("+")), last = groups[groups.length - 1];
      return [groups[0][0], players.filter((player) => last.includes(player)).pop()].map((player) => names[player] || "");
    },
    focus: () => buttons[0].focus({ preventScroll: true }),
    fill(order, given, words) {
      saved = finger && { x: finger.clientX, y: finger.clientY, at: Date.now() };
      entry = read(order, given, words || []);
      show();
    },
  };
})();
