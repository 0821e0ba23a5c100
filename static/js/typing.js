// What somebody types outlives the parts of a page that come anew meanwhile: window.typing.
window.typing = (() => {
  "use strict";
  const FIELDS = "input:not([type=hidden], [name=cards]), select, textarea";
  const isTicked = (field) => field.matches("[type=checkbox], [type=radio]");
  const fields = (part) => [...part.querySelectorAll(FIELDS)];
  const state = (field) => isTicked(field) ? field.checked : field.value;

  function given(field) {
    if (isTicked(field)) return field.defaultChecked;
    if (!field.options) return field.defaultValue;
    return ([...field.options].find((option) => option.defaultSelected) || field.options[0])?.value;
  }

  // Which of a part's fields it is: by its id, else by its name beside the same hidden ones.
  const own = (field) => [field.form?.getAttribute("action"), field.type, field.name, isTicked(field) && field.value].join();
  const beside = (field) => [...(field.form?.querySelectorAll("[type=hidden]:not([name=csrfmiddlewaretoken])") || [])]
    .map(({ name, value }) => `${name}=${value}`).join("&");

  function mark(field, part) {
    const alone = fields(part).filter((other) => own(other) === own(field)).length === 1;
    return { field, value: state(field), id: field.id, own: own(field), beside: beside(field), alone };
  }

  function find(marked, part) {
    if (marked.id) return fields(part).find((field) => field.id === marked.id);
    const alike = fields(part).filter((field) => own(field) === marked.own);
    return alike.find((field) => beside(field) === marked.beside) || (marked.alone && alike.length === 1 && alike[0]);
  }

  const focused = (part) => fields(part).find((field) => field === document.activeElement);

  function way(field, part) {
    const steps = [field];
    while (steps[0] !== part) steps.unshift(steps[0].parentElement);
    return steps;
  }

  function dress(element, like, isLeft) {
    for (const { name } of [...element.attributes]) if (!like.hasAttribute(name) && !isLeft(name)) element.removeAttribute(name);
    for (const { name, value } of like.attributes) if (element.getAttribute(name) !== value && !isLeft(name)) element.setAttribute(name, value);
  }

  function set(field, value) {
    if (isTicked(field)) field.checked = value;
    else if (field.value !== value && (!field.options || [...field.options].some((option) => option.value === value))) field.value = value;
  }

  // All around the field one is in comes anew, and the field stays in the document: its letters, its
  // caret and a word half composed (Telex) would not outlive a move. False where the new part has none.
  function around(part, fresh, marks) {
    const field = focused(part);
    const same = field && find(mark(field, part), fresh);
    const mine = same ? way(field, part) : [], theirs = same ? way(same, fresh) : [];
    if (!same || mine.length !== theirs.length || mine.some(({ tagName }, i) => tagName !== theirs[i].tagName)) return false;
    mine.slice(0, -1).forEach((element, i) => {
      const nodes = [...theirs[i].childNodes], at = nodes.indexOf(theirs[i + 1]);
      dress(element, theirs[i], (name) => name === "open");
      for (const old of [...element.childNodes]) if (old !== mine[i + 1]) old.remove();
      mine[i + 1].before(...nodes.slice(0, at));
      mine[i + 1].after(...nodes.slice(at + 1));
    });
    dress(field, same, (name) => ["value", "checked"].includes(name));
    const typed = state(field);
    if (field.options && field.innerHTML !== same.innerHTML) field.replaceChildren(...same.childNodes);
    else if ("defaultValue" in field && !isTicked(field)) field.defaultValue = same.defaultValue;
    set(field, marks.some((marked) => marked.field === field) ? typed : state(same));
    return true;
  }

  // The fields that an answer may not change: those that were changed since it was asked for
  // (`before`: the states then), and what was typed but not sent.
  function kept(part, before, isSent) {
    return fields(part).filter((field) => (before?.has(field) && before.get(field) !== state(field))
      || (!isSent(field) && state(field) !== given(field))).map((field) => mark(field, part));
  }

  function restore(marks, part) {
    for (const marked of marks) {
      const field = find(marked, part);
      if (!field || field === marked.field) continue;
      if (field.options) set(field, marked.value);
      else field.replaceWith(marked.field);
    }
  }

  function replace(part, fresh) {
    const marks = kept(part, null, () => false);
    const stays = around(part, fresh, marks);
    if (!stays) part.replaceWith(fresh);
    restore(marks, stays ? part : fresh);
  }

  return {
    around, replace, kept, restore, focused,
    states: (part) => new Map(fields(part).map((field) => [field, state(field)])),
  };
})();
