"use strict";
/* What all pages share: the secret of the session on every request, forms that submit themselves, Esc. */
(() => {
  const meta = document.querySelector('meta[name="csrf"]');

  const secret = () => (meta ? meta.content : "");

  /* After the server has started again, open pages learn the secret of the new session. */
  const refresh = async () => {
    const answer = await fetch("/csrf");
    if (answer.ok && meta) meta.content = (await answer.json()).csrf;
    return answer.ok;
  };

  /* Send JSON, text or FormData; if the session is a new one, once more with its secret. */
  const send = async (url, { method = "POST", json, body, headers = {} } = {}) => {
    const ask = () => fetch(url, {
      method,
      body: json === undefined ? body : JSON.stringify(json),
      headers: {
        "X-CSRF-Token": secret(),
        ...(json === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
    });
    const answer = await ask();
    return answer.status === 403 && (await refresh()) ? ask() : answer;
  };

  /* Chosen files go into a field of their form as text: when it is sent, because reading takes a moment. */
  const sendAsText = (chosen, field) => {
    const { form } = field;
    let isRead = false;
    form.addEventListener("submit", async (event) => {
      if (isRead || !chosen.files.length) return;
      event.preventDefault();
      const texts = await Promise.all([...chosen.files].filter((one) => one.size < 100000).map((one) => one.text()));
      field.value = texts.join("\n");
      isRead = true;
      form.requestSubmit();
      isRead = false;
    });
  };

  window.reidrisk = { send, refresh, secret, sendAsText };

  document.addEventListener("htmx:config:request", (event) => {
    event.detail.ctx.request.headers["X-CSRF-Token"] = secret();
  });

  document.addEventListener("change", (event) => {
    const field = event.target;
    if (field instanceof HTMLElement && field.hasAttribute("data-submit")) field.form.requestSubmit();
  });

  /* Esc closes what is unfolded around the focus. */
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const unfolded = document.activeElement && document.activeElement.closest("details[open]");
    if (unfolded) {
      unfolded.open = false;
      unfolded.querySelector("summary").focus();
    }
  });
})();
