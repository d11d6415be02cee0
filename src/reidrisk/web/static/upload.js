"use strict";
/* Files are dropped or chosen, sent one by one as they are, and then recognized by the server. */
(() => {
  const form = document.getElementById("upload");
  if (!form) return;
  const zone = document.getElementById("drop");
  const input = document.getElementById("files");
  const list = document.getElementById("chosen");
  const state = document.getElementById("upload-state");
  const problem = document.getElementById("upload-problem");
  const go = document.getElementById("go");
  const most = Number(form.dataset.most);
  const chosen = new Map();

  const complain = (text, hint = "") => {
    problem.replaceChildren();
    if (!text) return;
    const box = document.createElement("div");
    box.className = "problem";
    box.setAttribute("role", "alert");
    for (const one of [text, hint]) {
      const line = document.createElement("p");
      line.textContent = one;
      box.append(line);
    }
    problem.append(box);
  };

  const size = (bytes) => (bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1e3))} kB`);

  const show = () => {
    list.replaceChildren();
    for (const [name, file] of chosen) {
      const line = document.createElement("li");
      const text = document.createElement("span");
      text.textContent = `${name}, ${size(file.size)}`;
      const away = document.createElement("button");
      away.type = "button";
      away.className = "small";
      away.textContent = "Remove";
      away.setAttribute("aria-label", `Remove ${name}`);
      away.addEventListener("click", () => { chosen.delete(name); show(); });
      line.append(text, " ", away);
      list.append(line);
    }
  };

  const take = (files) => {
    complain("");
    for (const file of files) {
      if (file.size > most) complain(`${file.name} is too large.`, `A file may have ${size(most)}.`);
      else chosen.set(file.name, file);
    }
    show();
  };

  const takeChosen = () => { take(input.files); input.value = ""; };
  input.addEventListener("change", takeChosen);
  if (input.files.length) takeChosen(); /* chosen before this script ran */
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    take(event.dataTransfer.files);
  });

  /* Problem and hint of an answer, which is a fragment of a page. */
  const words = async (answer) => {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const lines = [...page.querySelectorAll(".problem p")].map((one) => one.textContent.trim());
    return lines.length ? lines : ["This did not work.", "Try again."];
  };

  const ask = async (url, options) => {
    const answer = await window.reidrisk.send(url, { ...options, headers: { "HX-Request": "true", ...(options.headers || {}) } });
    if (answer.ok) return answer;
    throw Object.assign(new Error("refused"), { lines: await words(answer) });
  };

  const sendAll = async (url) => {
    let number = 0;
    for (const [name, file] of [...chosen]) {
      number += 1;
      state.textContent = `Sending ${name} (${number} of ${number + chosen.size - 1})`;
      await ask(`${url}/file?name=${encodeURIComponent(name)}`, {
        method: "PUT", body: file, headers: { "Content-Type": "application/octet-stream" },
      });
      chosen.delete(name);
      show();
    }
  };

  const follow = (answer) => { window.location.assign(answer.headers.get("HX-Redirect") || window.location.pathname); };

  const forms = (fields) => {
    const body = new URLSearchParams();
    for (const [name, value] of fields) body.append(name, value);
    return { body, headers: { "Content-Type": "application/x-www-form-urlencoded" } };
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    complain("");
    const staged = form.dataset.staged;
    const target = form.dataset.target;
    if (!chosen.size && !staged) { complain("No file is chosen.", "Drop your files, or choose them."); return; }
    go.disabled = true;
    try {
      if (target) {
        const names = [...chosen.keys()];
        await sendAll(target);
        state.textContent = "Recognizing the files";
        follow(await ask(`${target}/add`, forms([["sha256", form.dataset.sha256], ...names.map((one) => ["name", one])])));
        return;
      }
      let url = staged ? `/new/${staged}` : null;
      if (!url) {
        const begun = await (await ask("/new", {})).json();
        url = begun.url;
        form.dataset.staged = begun.staged;
      }
      await sendAll(url);
      state.textContent = "Recognizing the files, which may take a minute";
      follow(await ask(`${url}/make`, forms([["title", document.getElementById("title").value]])));
    } catch (error) {
      state.textContent = "";
      complain(...(error.lines || ["The server cannot be reached.", "Start reidrisk serve again, open its link, and try again."]));
      go.disabled = false;
    }
  });
})();
