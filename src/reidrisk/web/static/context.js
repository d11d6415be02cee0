"use strict";
/* The questionnaire: after each answer, ask what follows from it, and show the questions that apply. */
(() => {
  const form = document.getElementById("context-form");
  if (!form) return;
  const panel = document.getElementById("panel");
  const offline = document.getElementById("offline");
  const every = (query) => [...form.querySelectorAll(query)];
  let waiting = null;
  let latest = 0;

  const value = (name) => new FormData(form).get(name) || "";

  const showAfter = () => {
    for (const one of every("[data-after]")) {
      const answer = value(one.dataset.after);
      const isPractice = one.dataset.after.startsWith("checklist.");
      one.hidden = isPractice ? !["yes", "not_applicable"].includes(answer) : !answer;
    }
    for (const name of ["motives", "invasion"]) {
      for (const one of every(`[data-questions="${name}"]`)) one.hidden = value(name) !== "questions";
    }
    const others = value("checklist.others") ? "as all others" : "no answer yet";
    for (const one of every(".practice option[value='']")) one.textContent = others;
  };

  const show = (found, isNewPolicy) => {
    panel.innerHTML = found.panel;
    for (const one of every("[data-question]")) {
      const key = one.dataset.question;
      if (isNewPolicy && found.redrawn[key] !== undefined) one.innerHTML = found.redrawn[key];
      one.hidden = !found.applies[key];
    }
    for (const one of every("[data-when]")) {
      const rated = one.dataset.rated;
      const isKnown = rated ? form.querySelector('[data-question="controls"]') : null;
      one.hidden = !found.applies[one.dataset.when] && !(rated && found.levels[rated] && isKnown && !isKnown.hidden);
    }
    for (const one of every("[data-problem]")) {
      const text = found.problems[one.dataset.problem] || "";
      one.textContent = text;
      one.hidden = !text;
    }
    for (const one of every("[data-group]")) {
      const text = found.groups[one.dataset.group];
      if (text) one.textContent = text;
    }
    showAfter();
  };

  const ask = async (isNewPolicy) => {
    const number = ++latest;
    try {
      const answer = await window.reidrisk.send(form.dataset.score, { body: new URLSearchParams(new FormData(form)) });
      offline.hidden = true;
      if (number !== latest) return;
      const kind = answer.headers.get("content-type") || "";
      if (kind.includes("json")) show(await answer.json(), isNewPolicy);
    } catch {
      offline.hidden = false;
    }
  };

  const later = (event) => {
    const name = event.target.name || "";
    if (name.startsWith("about.")) return;
    showAfter();
    clearTimeout(waiting);
    waiting = setTimeout(() => ask(name === "preset"), event.type === "input" ? 250 : 0);
  };

  form.addEventListener("input", later);
  form.addEventListener("change", later);
  showAfter();

  /* A link to a practice unfolds its group. */
  panel.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#q-']");
    if (!link) return;
    const target = document.getElementById(link.getAttribute("href").slice(1));
    if (!target) return;
    event.preventDefault();
    const group = target.closest("details");
    if (group) group.open = true;
    target.scrollIntoView({ block: "center" });
    target.querySelector("select").focus();
  });
})();
