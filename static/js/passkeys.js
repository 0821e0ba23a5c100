// Ties the page's one passkey form to django-allauth's script: which button asks the browser, where
// its answer goes, and what to say when the browser or the person refuses.
(() => {
  "use strict";
  const form = document.querySelector("form[data-passkey]");
  if (!form) return;

  const named = (part) => {
    const element = form.querySelector(`[data-passkey-${part}]`);
    if (element && !element.id) element.id = `passkey-${part}`;
    return element?.id;
  };

  const failed = form.querySelector("[data-passkey-failed]");
  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    failed.hidden = false;
  });

  const button = named("button");
  allauth.webauthn.forms[form.dataset.passkey]({
    ids: {
      add: button,
      authenticate: button,
      login: button,
      credential: named("credential"),
      passwordless: named("passwordless"),
      data: "passkey-data",
    },
  });
})();
