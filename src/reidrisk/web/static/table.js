"use strict";
/* The page of a table: sliders that repaint, dots by mouse and keyboard, live previews, classes on request. */
(() => {
  const explorer = document.getElementById("explorer");
  const view = document.getElementById("explorer-view");

  const put = (place, text) => { place.innerHTML = text; };
  const failed = "<p class=\"problem\" role=\"alert\">The server does not answer. Try again.</p>";

  /* Ask for a fragment; a newer question makes an older answer void. */
  const asking = () => {
    let last = null;
    return async (url, options) => {
      if (last) last.abort();
      last = new AbortController();
      const mine = last;
      try {
        const answer = await fetch(url, { headers: { "HX-Request": "true" }, signal: mine.signal, ...options });
        const text = await answer.text();
        return mine === last ? text : null;
      } catch (error) {
        return error.name === "AbortError" ? null : failed;
      }
    };
  };

  if (explorer && view) {
    const size = document.getElementById("cell-size");
    const share = document.getElementById("share");
    const hidden = document.getElementById("max-suppression");
    const layout = document.getElementById("layout");
    const use = document.getElementById("use");
    const spread = document.getElementById("spread");
    const ask = asking();
    let limit = hidden.value;

    const query = (node, name) => new URLSearchParams({
      cell_size: size.value, max_suppression: limit, node: node || "", layout: name || "",
    });

    const shown = () => view.querySelector(".explorer");

    const repaint = async (node) => {
      const now = shown();
      const name = node && now ? now.dataset.layout : layout ? layout.value : "";
      const text = await ask(`${explorer.dataset.view}?${query(node, name)}`);
      if (text === null) return;
      const focused = view.contains(document.activeElement) ? document.activeElement.dataset.node : null;
      put(view, text);
      put(spread, "");
      const next = shown();
      if (next) {
        use.elements.cell_size.value = size.value;
        use.elements.max_suppression.value = limit;
        use.elements.layout.value = next.dataset.layout;
        use.elements.node.value = next.dataset.node;
      }
      if (focused) {
        const dot = view.querySelector(`[data-node="${focused}"][role="radio"]`);
        if (dot) dot.focus();
      }
    };

    const moved = () => {
      document.querySelectorAll("#cell-size-text b").forEach((place) => { place.textContent = size.value; });
      document.querySelector("#share-text b").textContent = share.value;
      hidden.value = limit;
      repaint("");
    };

    size.addEventListener("input", moved);
    share.addEventListener("input", () => { limit = String(Number((share.value / 100).toFixed(4))); moved(); });
    if (layout) layout.addEventListener("change", () => repaint(""));
    explorer.addEventListener("submit", (event) => { event.preventDefault(); repaint(""); });

    view.addEventListener("click", (event) => {
      const dot = event.target.closest("[role=\"radio\"][data-node]");
      if (dot) { dot.focus(); repaint(dot.dataset.node); return; }
      const button = event.target.closest("button");
      if (!button) return;
      if (button.dataset.share) { share.value = button.dataset.share; share.dispatchEvent(new Event("input")); }
      if (button.dataset.size) { size.value = button.dataset.size; moved(); }
      if (button.hasAttribute("data-spread-button")) showSpread(button);
    });

    view.addEventListener("keydown", (event) => {
      const dot = event.target.closest("[role=\"radio\"][data-node]");
      if (!dot) return;
      const dots = [...view.querySelectorAll("[role=\"radio\"][data-node]")];
      const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
      if (event.key in steps) {
        event.preventDefault();
        const next = dots[(dots.indexOf(dot) + steps[event.key] + dots.length) % dots.length];
        dots.forEach((one) => one.setAttribute("tabindex", one === next ? "0" : "-1"));
        next.focus();
      } else if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        repaint(dot.dataset.node);
      }
    });

    const askSpread = asking();
    const showSpread = async (button) => {
      const now = shown();
      button.disabled = true;
      put(spread, "<p class=\"busy\" role=\"status\"><span class=\"dot\" aria-hidden=\"true\"></span>Counting the values before and after.</p>");
      const text = await askSpread(`${explorer.dataset.spread}?${query(now.dataset.node, now.dataset.layout)}`);
      if (text === null) return;
      put(spread, text);
      spread.scrollIntoView({ block: "nearest" });
      button.disabled = false;
    };
  }

  /* Levels of a hierarchy: a preview while somebody types. */
  const previews = new WeakMap();
  document.addEventListener("input", (event) => {
    const form = event.target.closest("form[data-preview]");
    if (!form) return;
    if (!previews.has(form)) previews.set(form, { ask: asking(), waiting: 0 });
    const mine = previews.get(form);
    clearTimeout(mine.waiting);
    mine.waiting = setTimeout(async () => {
      const given = new FormData(form);
      const query = new URLSearchParams();
      ["column", "kind", "levels", "unit"].forEach((name) => query.set(name, given.get(name)));
      const text = await mine.ask(`${form.dataset.preview}?${query}`);
      if (text !== null) put(form.querySelector(".draft"), text);
    }, 120);
  });

  /* The riskiest classes: counted on request, one explained at a time, values only if asked for. */
  const classes = document.getElementById("classes");
  if (classes) {
    const ask = asking();
    const load = async (number, options, url) => {
      classes.classList.add("busy-now");
      if (!classes.querySelector("table")) {
        put(classes, "<p class=\"busy\" role=\"status\"><span class=\"dot\" aria-hidden=\"true\"></span>Counting the classes.</p>");
      }
      const text = await ask(url || `${classes.dataset.url}?number=${number}&released=${classes.dataset.released}`, options);
      classes.classList.remove("busy-now");
      if (text !== null) put(classes, text);
    };
    classes.addEventListener("click", async (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      if (button.hasAttribute("data-count-classes")) load(1);
      if (button.dataset.class) load(button.dataset.class);
      if (button.dataset.showValues) {
        const body = new FormData();
        body.set("number", button.dataset.showValues);
        body.set("released", classes.dataset.released);
        const headers = { "HX-Request": "true", "X-CSRF-Token": window.reidrisk.secret() };
        load(0, { method: "POST", body, headers }, classes.dataset.values);
      }
    });
    document.querySelectorAll("input[name=\"which\"]").forEach((one) => one.addEventListener("change", () => {
      classes.dataset.released = one.value;
      if (classes.querySelector("table")) load(1);
    }));
  }
})();
