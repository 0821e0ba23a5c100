// What somebody typed is not lost when the session ended meanwhile: it comes back after signing in.
// It stays in this tab, for one way through the sign-in and no longer. Passwords are never kept.
(() => {
  "use strict";
  const NAME = "unsent";
  const SIGNING_IN = "/accounts/";
  const CONFIRMING = "/reauthenticate/"; // The server sends the form on by itself once the password is right.
  const typed = (form) => [...form.querySelectorAll("textarea, select, input:not([type=hidden], [type=password], [type=file], [type=checkbox], [type=radio])")];

  function read() {
    try { return JSON.parse(sessionStorage.getItem(NAME)); } catch { return null; }
  }

  function keep(value) {
    try {
      if (value) sessionStorage.setItem(NAME, JSON.stringify(value));
      else sessionStorage.removeItem(NAME);
    } catch { /* private mode: nothing is kept */ }
  }

  const namesOf = (form) => typed(form).map((field) => field.name).join();
  const besideOf = (form) => [form.getAttribute("action"), ...[...form.querySelectorAll("[type=hidden]:not([name=csrfmiddlewaretoken])")]
    .map(({ name, value }) => `${name}=${value}`)].join();

  // The forms whose fields have the same names, on the page that the form was on; of several, it is
  // the one that sends the same beside them.
  const formsOf = ({ names }) => [...document.querySelectorAll("main form[method=post]")].filter((form) => namesOf(form) === names);
  const sameOf = (forms, { beside }) => (forms.length > 1 ? forms.find((form) => besideOf(form) === beside) : forms[0]);

  const kept = read();
  if (kept && location.pathname.includes(CONFIRMING)) keep(null);
  else if (kept && location.pathname.startsWith(SIGNING_IN)) keep({ ...kept, away: true });
  else if (kept && location.pathname === kept.path) {
    const forms = formsOf(kept), form = sameOf(forms, kept);
    if (!forms.length) keep({ ...kept, away: true }); // "This page is old": reloaded, it has its form again.
    else {
      if (kept.away && form) fill(form, kept.values);
      keep(null);
    }
  } else keep(null);

  function fill(form, values) {
    typed(form).forEach((field, i) => { field.value = values[i]; });
    const details = form.closest("details");
    if (details) details.open = true;
    form.scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post" || !form.closest("main")) return;
    if (location.pathname.startsWith(SIGNING_IN)) return;
    const fields = typed(form);
    const words = fields.some((field) => field.matches("textarea, input") && field.value !== field.defaultValue);
    if (!words) return;
    keep({
      path: location.pathname,
      names: namesOf(form),
      beside: besideOf(form),
      values: fields.map((field) => field.value),
    });
  });
})();
