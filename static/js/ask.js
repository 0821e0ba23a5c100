// What scripts of our pages ask of the server. Between a phone and the server stand others: a Wi-Fi's
// sign-in page, a proxy, a tunnel. Any of them may answer, with any status; ours carries the release.
window.ask = (() => {
  "use strict";
  const RELEASE = "Tien-Len-Release";
  const own = () => JSON.parse(document.body.getAttribute("hx-headers") || "{}");
  const token = () => (document.cookie.match(/(?:^|; )csrftoken=([^;]*)/) || [])[1] || "";

  // The answer and what it says as JSON, null where it says nothing; an error where none came in time.
  async function json(url, { form, ms = 8000 } = {}) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), ms);
    const headers = { Accept: "application/json", [RELEASE]: own()[RELEASE] || "" };
    if (form) headers["X-CSRFToken"] = token();
    try {
      const answer = await fetch(url, {
        method: form ? "POST" : "GET", body: form && new URLSearchParams(form),
        headers, redirect: "manual", signal: stop.signal,
      });
      const isJson = (answer.headers.get("Content-Type") || "").includes("json");
      const said = isJson ? await answer.json().catch(() => null) : null;
      return { status: answer.status, release: answer.headers.get(RELEASE), said: Object(said) === said ? said : null };
    } finally {
      clearTimeout(timer);
    }
  }

  return { json, token };
})();
