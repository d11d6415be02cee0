"use strict";
/* The desk of a reviewer: pages with boxes, decisions by key, a queue that survives a dead server. */
(() => {
  const desk = document.getElementById("desk");
  if (!desk) return;
  const base = desk.dataset.base;
  const name = desk.dataset.document;
  const decides = desk.hasAttribute("data-decides");
  const byId = (id) => document.getElementById(id);
  const canvas = byId("canvas");
  const SVG = "http://www.w3.org/2000/svg";
  const CCI = "CCI";
  const NEAR_MS = 250;
  const SAVE_MS = 250;
  const RETRY_MS = 2000;
  const KEPT_SCREENS = 4;

  const url = (what, more = {}) => `${base}/${what}?${new URLSearchParams({ document: name, ...more })}`;
  const count = (number) => number.toLocaleString("en-US");
  const say = (text) => { byId("now").textContent = text; };

  let sheets = [];
  let types = [];
  let progress = new Map(); /* block -> findings, decided, seen: of all findings */
  let shown = null; /* the same of the findings that the filter shows; null: all */
  let only = { type: "", source: "", subject: "", differ: false };
  let differing = new Set();
  let current = null; /* { sheet, one } */
  let lastType = "";
  const mine = new Map(); /* what was decided here: id -> { action, new_type, line } */
  const undone = []; /* what U takes back, the last one at the end */

  /* --- problems --- */

  const tell = (problem, hint = "") => {
    byId("problem").hidden = !problem;
    byId("problem-text").textContent = problem || "";
    byId("problem-hint").textContent = hint;
  };

  const told = async (answer) => {
    try {
      return await answer.json();
    } catch {
      return { problem: "The server did not answer as expected.", hint: "Load the page again." };
    }
  };

  const ask = async (what, more) => {
    const answer = await fetch(url(what, more));
    if (!answer.ok) throw await told(answer);
    return answer.json();
  };

  /* --- saving --- */

  const queue = [];
  let sending = false;
  let timer = 0;
  let saved = 0;

  const showSaved = (text) => { byId("saved").textContent = text; };

  const later = (wait) => {
    clearTimeout(timer);
    timer = setTimeout(flush, wait);
  };

  const enqueue = (line) => {
    queue.push(line);
    showSaved("Saving …");
    later(SAVE_MS);
  };

  const flush = async () => {
    if (sending || !queue.length) return;
    sending = true;
    const lines = queue.slice(0, 200);
    let wait = 0;
    let why = "The server does not answer. It may have stopped: start reidrisk serve again.";
    try {
      const answer = await reidrisk.send(url("decide"), { json: { lines } });
      if (answer.ok) {
        queue.splice(0, lines.length);
        saved += lines.length;
        if (lines.some((one) => one.everywhere || one.group)) await refresh();
      } else if (answer.status === 422 || answer.status === 413) {
        const why = await told(answer);
        tell(`A decision was not saved. ${why.problem}`, why.hint);
        queue.splice(0, lines.length);
        await refresh();
        reloadSheets();
      } else {
        if (answer.status === 401) why = "The server was started again. Open its new link, or log in, in another tab.";
        wait = RETRY_MS;
      }
    } catch {
      wait = RETRY_MS;
    }
    sending = false;
    if (queue.length) {
      const waiting = queue.length === 1 ? "1 decision waits" : `${count(queue.length)} decisions wait`;
      showSaved(wait ? `Not saved yet: ${waiting}. Keep this page open. ${why}` : "Saving …");
      later(wait || 1);
    } else {
      showSaved(saved ? "All decisions saved" : "Nothing to save");
    }
  };

  window.addEventListener("beforeunload", (event) => {
    if (queue.length) event.preventDefault();
  });

  const newId = () => crypto.randomUUID();

  /* --- pages --- */

  const scaleOf = (sheet) => Math.min(1.6, Math.max(0.4, (canvas.clientWidth - 40) / sheet.item.width));

  const size = (sheet) => {
    if (!sheet.item.width) return;
    sheet.scale = scaleOf(sheet);
    sheet.element.style.width = `${Math.round(sheet.item.width * sheet.scale)}px`;
    sheet.element.style.height = `${Math.round(sheet.item.height * sheet.scale)}px`;
  };

  const titleOf = (item) => {
    const block = item.block.charAt(0).toUpperCase() + item.block.slice(1);
    return item.width || !item.start ? block : `${block}, from character ${count(item.start)}`;
  };

  const makeSheets = (items) => {
    canvas.replaceChildren();
    sheets = [];
    addSheets(items);
  };

  const addSheets = (items) => {
    const from = sheets.length;
    const made = items.map((item, place) => {
      const index = from + place;
      const element = document.createElement("section");
      element.className = item.width ? "sheet" : "sheet text";
      element.setAttribute("aria-label", titleOf(item));
      element.dataset.index = index;
      const sheet = { item, index, element, state: "empty", list: [], groups: new Map() };
      wait(sheet);
      size(sheet);
      return sheet;
    });
    sheets.push(...made);
    canvas.append(...made.map((sheet) => sheet.element));
    for (const sheet of made) watcher.observe(sheet.element);
  };

  const wait = (sheet, text = "") => {
    const note = document.createElement("p");
    note.className = "sheet-wait";
    note.textContent = text || titleOf(sheet.item);
    sheet.element.replaceChildren(note);
  };

  const visible = new Set();
  let nearTimer = 0;
  let nearTurn = 0;
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const sheet = sheets[Number(entry.target.dataset.index)];
      if (entry.isIntersecting) visible.add(sheet);
      else visible.delete(sheet);
    }
    const first = [...visible].sort((one, two) => one.index - two.index);
    first.forEach(load);
    const line = canvas.getBoundingClientRect().top + canvas.clientHeight / 4;
    const read = first.find((sheet) => sheet.element.getBoundingClientRect().bottom > line);
    if (read) showWhere(read);
    clearTimeout(nearTimer);
    const turn = (nearTurn += 1);
    nearTimer = setTimeout(async () => {
      await Promise.all(first.map(load)); /* what is read now comes before what may be read next */
      if (turn !== nearTurn) return;
      const from = first.length ? first[0].index : 0;
      const to = first.length ? first[first.length - 1].index : 0;
      [to + 1, from - 1, to + 2].forEach((index) => sheets[index] && load(sheets[index]));
      dropFar();
    }, NEAR_MS);
  }, { root: canvas, threshold: 0 });

  const dropFar = () => {
    const screen = canvas.clientHeight;
    const frame = canvas.getBoundingClientRect();
    for (const sheet of sheets) {
      if (sheet.state !== "ready" || (current && current.sheet === sheet)) continue;
      const place = sheet.element.getBoundingClientRect();
      const away = Math.max(frame.top - place.bottom, place.top - frame.bottom);
      if (away > KEPT_SCREENS * screen) drop(sheet);
    }
  };

  const drop = (sheet) => {
    if (!sheet.item.width) sheet.element.style.minHeight = `${sheet.element.offsetHeight}px`;
    Object.assign(sheet, { state: "empty", list: [], groups: new Map(), svg: null, ring: null, loading: null });
    wait(sheet);
  };

  const reloadSheets = () => {
    for (const sheet of sheets) if (sheet.state === "ready") drop(sheet);
    current = null;
    inspect();
    [...visible].forEach(load);
  };

  const load = (sheet) => {
    if (sheet.state === "empty") {
      sheet.state = "loading";
      sheet.loading = fill(sheet).catch((error) => {
        sheet.state = "empty";
        wait(sheet, "This page could not be loaded yet.");
        if (error && error.problem) tell(error.problem, error.hint);
        setTimeout(() => visible.has(sheet) && load(sheet), RETRY_MS);
      });
    }
    return sheet.loading;
  };

  const fill = async (sheet) => {
    const { item } = sheet;
    const part = item.width ? {} : { start: item.start, ...(item.end === null ? {} : { end: item.end }) };
    const boxes = ask("boxes", { block: item.block, ...part });
    boxes.catch(() => {}); /* told below, after the picture */
    let picture = null;
    if (item.width) {
      picture = new Image();
      picture.alt = titleOf(item);
      picture.draggable = false;
      const dots = Math.min(2.5, Math.ceil(sheet.scale * (window.devicePixelRatio || 1) * 4) / 4);
      picture.src = url("picture", { block: item.block, scale: dots });
      await picture.decode();
      sheet.element.replaceChildren(picture); /* the picture first: boxes on white paper say nothing */
    }
    const found = await boxes;
    sheet.list = found.findings.map((one) => ({ ...one, ...(mine.get(one.id) || {}) }));
    for (const one of addedHere.get(item.block) || []) {
      if (!sheet.list.some((other) => other.id === one.id) && inItem(one, item)) sheet.list.push(one);
    }
    sheet.list.sort((one, two) => one.start - two.start || one.end - two.end);
    if (picture) drawBoxes(sheet);
    else drawText(sheet, [...found.text]);
    sheet.state = "ready";
    if (sheet.index === 0 && !current) byId("no-finding").hidden = false;
  };

  const inItem = (one, item) => item.width || (one.start >= item.start && (item.end === null || one.start < item.end));

  /* --- boxes --- */

  const matches = (one) =>
    (!only.type || one.type === only.type) &&
    (!only.source || one.source.split(":")[0] === only.source) &&
    (!only.subject || one.subjects.includes(Number(only.subject))) &&
    (!only.differ || differing.has(one.id));

  const classOf = (one) => {
    const kind = one.action === "add" || one.action === "retype" ? one.new_type : null;
    const parts = [kind === CCI ? "cci" : one.action || "open"];
    if (one.opinions) parts.push("differ");
    if (!matches(one)) parts.push("out");
    return parts.join(" ");
  };

  const group = (sheet, one) => {
    const g = document.createElementNS(SVG, "g");
    g.setAttribute("class", classOf(one));
    for (const [left, top, width, height] of one.boxes) {
      const rect = document.createElementNS(SVG, "rect");
      rect.setAttribute("class", "b");
      rect.setAttribute("x", left - 0.8);
      rect.setAttribute("y", top - 0.5);
      rect.setAttribute("width", width + 1.6);
      rect.setAttribute("height", height + 1);
      rect.setAttribute("rx", 1);
      g.append(rect);
    }
    g.dataset.id = one.id;
    sheet.groups.set(one.id, g);
    return g;
  };

  const drawBoxes = (sheet) => {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", `0 0 ${sheet.item.width} ${sheet.item.height}`);
    svg.setAttribute("aria-hidden", "true");
    svg.append(...sheet.list.map((one) => group(sheet, one)));
    sheet.svg = svg;
    sheet.element.append(svg);
    if (current && current.sheet === sheet) ring();
  };

  const drawText = (sheet, letters) => {
    const nodes = [];
    const from = sheet.item.start;
    let at = 0;
    for (const one of sheet.list) {
      const start = Math.max(one.start - from, at);
      const end = Math.min(one.end - from, letters.length);
      if (end <= start) continue;
      nodes.push(document.createTextNode(letters.slice(at, start).join("")));
      const mark = document.createElement("mark");
      mark.className = classOf(one);
      mark.dataset.id = one.id;
      mark.textContent = letters.slice(start, end).join("");
      sheet.groups.set(one.id, mark);
      nodes.push(mark);
      at = end;
    }
    nodes.push(document.createTextNode(letters.slice(at).join("")));
    sheet.letters = letters;
    sheet.element.style.minHeight = "";
    sheet.element.replaceChildren(...nodes);
  };

  const repaint = (sheet, one) => {
    const drawn = sheet.groups.get(one.id);
    if (!drawn) return;
    const chosen = current && current.one === one && drawn instanceof HTMLElement ? " chosen" : "";
    drawn.setAttribute("class", classOf(one) + chosen);
  };

  const repaintAll = () => {
    for (const sheet of sheets) if (sheet.state === "ready") for (const one of sheet.list) repaint(sheet, one);
  };

  /* The ring is around the box, so that the text in it stays readable. */
  const ring = () => {
    for (const old of canvas.querySelectorAll(".ring")) old.remove();
    if (!current || !current.sheet.svg) return;
    const line = document.createElementNS(SVG, "path");
    line.setAttribute("class", "ring");
    line.setAttribute("d", current.one.boxes
      .map(([x, y, w, h]) => `M${x - 3} ${y - 2.7}h${w + 6}v${h + 5.4}h${-w - 6}z`).join(""));
    current.sheet.svg.append(line);
  };

  /* --- the chosen finding --- */

  const WORDS = { accept: "accepted", reject: "rejected", retype: "another type", add: "added" };
  const stateOf = (one) => {
    if (one.new_type === CCI) return "confidential (CCI)";
    if (one.action === "retype") return `now ${one.new_type}`;
    if (one.action) return WORDS[one.action];
    const page = current && progress.get(current.sheet.item.block);
    return page && page.seen ? "accepted with its page" : "open";
  };

  const inspect = () => {
    const one = current && current.one;
    byId("finding").hidden = !one;
    byId("no-finding").hidden = Boolean(one);
    for (const button of desk.querySelectorAll("[data-do]")) {
      const needs = ["accept", "reject", "retype", "cci", "everywhere"].includes(button.dataset.do);
      const writes = needs || ["undo", "seen", "missed"].includes(button.dataset.do);
      const early = canvas.hidden && button.dataset.do !== "keys";
      button.disabled = early || (needs && !one) || (writes && !decides);
    }
    if (!one) return;
    byId("f-type").textContent = one.type;
    byId("f-state").textContent = stateOf(one);
    byId("f-source").textContent = one.source;
    byId("f-confidence").textContent = one.confidence.toFixed(2);
    byId("f-subjects").textContent = one.subjects.length ? one.subjects.slice(0, 6).join(", ") + (one.subjects.length > 6 ? " …" : "") : "–";
    byId("f-section").textContent = one.section || "–";
    const opinions = Object.entries(one.opinions || {});
    byId("f-opinions").hidden = !opinions.length;
    byId("f-opinions").replaceChildren(...opinions.map(([who, kind]) => {
      const line = document.createElement("li");
      line.textContent = `${who}: ${kind || "not an identifier"}`;
      return line;
    }));
  };

  const choose = (sheet, one, { scroll = true } = {}) => {
    const before = current;
    current = { sheet, one };
    if (before) repaint(before.sheet, before.one);
    repaint(sheet, one);
    ring();
    inspect();
    showWhere(sheet);
    if (scroll) reveal(sheet, one);
    say(`${one.type}, ${stateOf(one)}, ${sheet.item.block}, ${sheet.list.indexOf(one) + 1} of ${sheet.list.length}`);
  };

  const reveal = (sheet, one) => {
    const frame = canvas.getBoundingClientRect();
    let place = sheet.element.getBoundingClientRect();
    if (sheet.svg && one.boxes.length) {
      const top = place.top + one.boxes[0][1] * sheet.scale;
      place = { top, bottom: top + one.boxes[0][3] * sheet.scale };
    } else if (sheet.groups.get(one.id)) {
      place = sheet.groups.get(one.id).getBoundingClientRect();
    }
    if (place.top < frame.top + 48 || place.bottom > frame.bottom - 48) {
      canvas.scrollTop += place.top - frame.top - canvas.clientHeight / 3;
    }
  };

  const isOpen = (sheet, one) =>
    matches(one) && (only.differ || (!one.action && !(progress.get(sheet.item.block) || {}).seen));

  const mayHaveOpen = (sheet) => {
    if (only.differ) return true;
    if (sheet.state === "ready") return sheet.list.some((one) => isOpen(sheet, one));
    const state = (shown || progress).get(sheet.item.block);
    return Boolean(state) && state.decided < state.findings;
  };

  let moving = 0;
  const go = async (step) => {
    const turn = ++moving;
    const wanted = step > 0 ? isOpen : (sheet, one) => matches(one);
    const here = current && visible.has(current.sheet) ? current : null; /* or the reader has gone elsewhere */
    const start = here ? here.sheet.index : (where || sheets[0] || {}).index;
    if (start === undefined) return;
    for (let passed = 0; passed <= sheets.length; passed += 1) {
      const index = (((start + passed * step) % sheets.length) + sheets.length) % sheets.length;
      const sheet = sheets[index];
      if (step > 0 ? !mayHaveOpen(sheet) : !(shown || progress).get(sheet.item.block)?.findings && !sheet.list.length) continue;
      if (sheet.state !== "ready") {
        if (passed) canvas.scrollTop += sheet.element.getBoundingClientRect().top - canvas.getBoundingClientRect().top - 8;
        await load(sheet);
        if (turn !== moving) return;
      }
      let list = sheet.list;
      if (here && here.sheet === sheet) {
        const place = list.indexOf(here.one);
        if (passed === 0) list = step > 0 ? list.slice(place + 1) : list.slice(0, Math.max(place, 0));
        else list = step > 0 ? list.slice(0, place) : [];
      }
      const found = (step > 0 ? list : [...list].reverse()).find((one) => wanted(sheet, one));
      if (found) {
        choose(sheet, found);
        return;
      }
    }
    say(step > 0 ? "Everything that is shown is decided." : "There is no finding before this one.");
    if (step > 0) byId("no-finding").textContent = "Everything that is shown is decided.";
    repaintAll();
    inspect();
  };

  /* --- progress --- */

  const showProgress = () => {
    let findings = 0;
    let decided = 0;
    for (const one of progress.values()) {
      findings += one.findings;
      decided += one.decided;
    }
    byId("decided").textContent = count(decided);
    byId("total").textContent = count(findings);
    byId("bar").max = findings || 1;
    byId("bar").value = findings ? decided : 1;
  };

  const mapButtons = new Map();
  const paintMap = (block) => {
    const button = mapButtons.get(block);
    const one = progress.get(block);
    if (!button || !one) return;
    const part = shown && !shown.get(block)?.findings ? "none-shown" : one.seen ? "seen" : !one.findings ? "empty"
      : one.decided >= one.findings ? "all" : one.decided ? "some" : "none";
    button.className = part;
    const state = one.seen ? ", page read" : "";
    button.setAttribute("aria-label", `${block}: ${one.decided} of ${one.findings} decided${state}`);
    button.title = `${block}: ${one.decided} of ${one.findings} decided${state}`;
  };

  const makeMap = () => {
    mapButtons.clear();
    const first = new Map();
    for (const sheet of sheets) if (!first.has(sheet.item.block)) first.set(sheet.item.block, sheet);
    const hasPages = sheets.some((sheet) => sheet.item.width);
    byId("map").classList.toggle("names", !hasPages);
    byId("map").replaceChildren(...[...first].map(([block, sheet]) => {
      const line = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = sheet.item.width ? String(sheet.index + 1) : hasPages ? "+" : block;
      button.addEventListener("click", () => toSheet(sheet));
      line.append(button);
      mapButtons.set(block, button);
      return line;
    }));
    for (const block of mapButtons.keys()) paintMap(block);
    byId("go-to").max = sheets.length;
    byId("of-pages").textContent = `of ${count(sheets.length)}`;
  };

  let where = null;
  const showWhere = (sheet) => {
    if (where === sheet) return;
    if (where) mapButtons.get(where.item.block)?.removeAttribute("aria-current");
    where = sheet;
    const button = mapButtons.get(sheet.item.block);
    if (button) {
      button.setAttribute("aria-current", "true");
      const list = byId("map");
      if (button.offsetTop < list.scrollTop + list.offsetTop || button.offsetTop > list.scrollTop + list.offsetTop + list.clientHeight - 24) {
        list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 2;
      }
    }
    if (document.activeElement !== byId("go-to")) byId("go-to").value = sheet.index + 1;
    byId("seen-label").textContent = sheet.item.width ? `Page ${sheet.index + 1} read` : `“${sheet.item.block}” read`;
  };

  const leave = () => {
    if (!current) return;
    const { sheet, one } = current;
    current = null;
    repaint(sheet, one);
    ring();
    inspect();
  };

  const toSheet = (sheet) => {
    leave();
    showWhere(sheet);
    canvas.scrollTop += sheet.element.getBoundingClientRect().top - canvas.getBoundingClientRect().top - 8;
    canvas.focus({ preventScroll: true });
    load(sheet);
  };

  const changeCount = (sheet, one, by) => {
    const states = [progress.get(sheet.item.block)];
    if (shown && matches(one)) states.push(shown.get(sheet.item.block));
    for (const state of states) if (state && !state.seen && one.action !== "add") state.decided += by;
    paintMap(sheet.item.block);
    showProgress();
  };

  const fillStates = (found) => new Map(found.pages.map((one) => [one.block, one]));

  const refresh = async () => {
    try {
      const found = await ask("pages");
      progress = fillStates(found);
      if (shown) await filter();
      for (const block of mapButtons.keys()) paintMap(block);
      showProgress();
    } catch { /* the next save tells */ }
  };

  /* --- decisions --- */

  const set = (sheet, one, decision) => {
    const was = Boolean(one.action);
    Object.assign(one, decision);
    mine.set(one.id, decision);
    repaint(sheet, one);
    if (was !== Boolean(decision.action)) changeCount(sheet, one, decision.action ? 1 : -1);
  };

  const copyOf = (one) => ({ action: one.action, new_type: one.new_type, line: one.line });

  const decide = (action, kind = null) => {
    if (!current || !decides) return;
    const { sheet, one } = current;
    const id = newId();
    undone.push({ sheet, one, id, before: copyOf(one) });
    const line = { id, action, block: sheet.item.block, start: one.start, end: one.end };
    enqueue(kind ? { ...line, type: kind } : line);
    const isOwn = one.action === "add" && action === "retype";
    set(sheet, one, { action: isOwn ? "add" : action, new_type: kind, line: id });
    if (isOwn) one.type = kind;
    if (only.differ) { inspect(); return; }
    go(1);
  };

  const undo = () => {
    if (!decides) return;
    const last = undone.pop();
    if (!last) {
      if (current && current.one.line) {
        const { sheet, one } = current;
        enqueue({ id: newId(), action: "undo", of: one.line });
        set(sheet, one, { action: null, new_type: null, line: null });
        inspect();
        ring();
      } else {
        say("There is nothing to undo.");
      }
      return;
    }
    if (last.group) {
      enqueue({ id: newId(), action: "undo", group: last.group });
      for (const id of last.ids) mine.delete(id);
      for (const sheet of sheets) for (const one of sheet.list) {
        const before = last.before.get(one.id);
        if (before) { Object.assign(one, before); repaint(sheet, one); }
      }
      inspect();
      return;
    }
    enqueue({ id: newId(), action: "undo", of: last.id });
    if (last.seen) {
      const state = progress.get(last.seen);
      Object.assign(state, last.before);
      paintMap(last.seen);
      showProgress();
      inspect();
      say(`${last.seen} is not read any more`);
      return;
    }
    if (last.added) {
      remove(last.sheet, last.one);
      return;
    }
    set(last.sheet, last.one, last.before);
    if (last.sheet.state === "ready" && last.sheet.list.includes(last.one)) choose(last.sheet, last.one);
    else reopen(last.sheet, last.one.id);
  };

  /* A page that was dropped meanwhile is loaded again, and the finding chosen there. */
  const reopen = async (sheet, id) => {
    toSheet(sheet);
    await load(sheet);
    const one = sheet.list.find((other) => other.id === id);
    if (one) choose(sheet, one);
  };

  const seen = () => {
    const sheet = where;
    if (!sheet || !decides || sheet.state !== "ready") return;
    const { block } = sheet.item;
    const state = progress.get(block);
    if (!state || state.seen) {
      say(`${block} is read already`);
      return;
    }
    const id = newId();
    undone.push({ seen: block, id, before: { seen: false, decided: state.decided } });
    enqueue({ id, action: "seen", block });
    state.seen = true;
    state.decided = state.findings;
    if (shown && shown.get(block)) shown.get(block).decided = shown.get(block).findings;
    paintMap(block);
    showProgress();
    inspect();
    say(`${block} is read`);
    nextPage();
  };

  const nextPage = () => {
    const from = where ? where.index : -1;
    const sheet = sheets[from + 1];
    if (!sheet) {
      say("This is the last page.");
      return;
    }
    toSheet(sheet);
  };

  /* --- dialogs --- */

  const open = (id, first) => new Promise((answer) => {
    const dialog = byId(id);
    dialog.returnValue = "";
    dialog.addEventListener("close", () => {
      canvas.focus({ preventScroll: true });
      answer(dialog.returnValue);
    }, { once: true });
    dialog.showModal();
    if (first) first.focus();
  });

  const askType = async (title) => {
    byId("type-title").textContent = title;
    const list = byId("type-list");
    list.replaceChildren(...[...types, CCI].map((kind) => new Option(kind, kind)));
    list.value = types.includes(lastType) ? lastType : types[0] || CCI;
    byId("type-own").value = "";
    const answer = await open("type-dialog", list);
    if (answer !== "ok") return "";
    const kind = byId("type-own").value.trim() || list.value;
    if (kind && !types.includes(kind) && kind !== CCI) types.unshift(kind);
    lastType = kind;
    return kind;
  };

  byId("type-list").addEventListener("dblclick", () => byId("type-dialog").close("ok"));
  byId("type-list").addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); byId("type-dialog").close("ok"); }
  });
  byId("ask-dialog").addEventListener("keydown", (event) => {
    const button = { a: "accept", r: "reject", t: "retype", c: "cci" }[event.key.toLowerCase()];
    if (button && !event.ctrlKey && !event.metaKey) { event.preventDefault(); byId("ask-dialog").close(button); }
  });

  const retype = async () => {
    if (!current || !decides) return;
    const kind = await askType("Which type is it?");
    if (kind) decide("retype", kind);
  };

  const pause = (wait_) => new Promise((answer) => { setTimeout(answer, wait_); });

  const everywhere = async () => {
    if (!current || !decides) return;
    const { one } = current;
    let found = { ready: false };
    try {
      while (!found.ready) {
        found = await ask("same", { id: one.id });
        if (!found.ready) {
          showSaved(`Reading the document: ${count(found.read)} of ${count(found.pages)} pages …`);
          await pause(50);
        }
      }
    } catch (error) {
      tell(error.problem || "The server does not answer.", error.hint || "Try again.");
      return;
    }
    showSaved(queue.length ? "Saving …" : "All decisions saved");
    if (!current || current.one !== one) return;
    const findings = found.count === 1 ? "Only this finding has" : `${count(found.count)} findings on ${count(found.pages)} ${found.pages === 1 ? "page" : "pages"} have`;
    byId("ask-text").textContent = `${findings} the type ${one.type} and this value. What shall happen to ${found.count === 1 ? "it" : "all of them"}?`;
    const answer = await open("ask-dialog", byId("ask-actions").firstElementChild);
    if (!answer) return;
    const kind = answer === "cci" ? CCI : answer === "retype" ? await askType("Which type are all of them?") : null;
    if (answer === "retype" && !kind) return;
    decideAll(one, found.ids, answer === "cci" ? "retype" : answer, kind);
  };

  const decideAll = (one, ids, action, kind) => {
    const id = newId();
    const all = new Set(ids);
    const before = new Map();
    const decision = { action, new_type: kind };
    for (const other of ids) mine.set(other, { ...decision, line: `${id}-${other}` });
    for (const sheet of sheets) for (const other of sheet.list) if (all.has(other.id)) {
      before.set(other.id, copyOf(other));
      Object.assign(other, decision, { line: `${id}-${other.id}` });
      repaint(sheet, other);
    }
    undone.push({ group: id, ids, before });
    enqueue({ id, action, everywhere: one.id, ...(kind ? { type: kind } : {}) });
    inspect();
    go(1);
  };

  /* --- adding --- */

  const addedHere = new Map(); /* block -> findings that were added in this tab */

  const add = (sheet, spans, kind) => {
    let last = null;
    for (const span of spans) {
      if (sheet.list.some((one) => one.start === span.start && one.end === span.end)) continue;
      const id = newId();
      const one = {
        id, start: span.start, end: span.end, boxes: span.boxes || [], type: kind, new_type: kind, action: "add",
        line: id, source: "reviewer", confidence: 1, subjects: [], variable: null, section: null,
      };
      undone.push({ sheet, one, id, added: true });
      enqueue({ id, action: "add", block: sheet.item.block, start: span.start, end: span.end, type: kind });
      if (!addedHere.has(sheet.item.block)) addedHere.set(sheet.item.block, []);
      addedHere.get(sheet.item.block).push(one);
      sheet.list.push(one);
      last = one;
    }
    sheet.list.sort((one, two) => one.start - two.start || one.end - two.end);
    if (!last) {
      say("These words are a finding already.");
      return;
    }
    if (sheet.svg) for (const one of sheet.list) { if (!sheet.groups.has(one.id)) sheet.svg.append(group(sheet, one)); }
    else drawText(sheet, sheet.letters);
    choose(sheet, last, { scroll: false });
    say(`${kind} added`);
  };

  const remove = (sheet, one) => {
    const list = addedHere.get(sheet.item.block) || [];
    addedHere.set(sheet.item.block, list.filter((other) => other !== one));
    sheet.list = sheet.list.filter((other) => other !== one);
    sheet.groups.get(one.id)?.remove();
    sheet.groups.delete(one.id);
    if (!sheet.svg && sheet.letters) drawText(sheet, sheet.letters);
    if (current && current.one === one) { current = null; ring(); inspect(); }
    say("The addition is taken back.");
  };

  const find = async (sheet, what) => {
    const answer = await reidrisk.send(url("within", { block: sheet.item.block }), { json: what });
    if (!answer.ok) throw await told(answer);
    return (await answer.json()).spans;
  };

  const addFound = async (sheet, what) => {
    tell("");
    let spans = [];
    try {
      spans = await find(sheet, what);
    } catch (error) {
      tell(error.problem || "The server does not answer.", error.hint || "Try again when it does.");
      return;
    }
    if (!spans.length) {
      say("There are no words.");
      showSaved("There are no words in this rectangle.");
      return;
    }
    const kind = await askType(spans.length === 1 ? "Which type is it?" : `Which type are these ${spans.length} places?`);
    if (kind) add(sheet, spans, kind);
  };

  const missed = async () => {
    const sheet = where;
    if (!sheet || !decides || sheet.state !== "ready") return;
    byId("words-text").value = "";
    if ((await open("words-dialog", byId("words-text"))) !== "ok") return;
    const words = byId("words-text").value;
    if (words.trim()) await addFound(sheet, { words });
  };

  let drag = null;
  const at = (event, sheet) => {
    const place = sheet.element.getBoundingClientRect();
    return [(event.clientX - place.left) / sheet.scale, (event.clientY - place.top) / sheet.scale];
  };

  canvas.addEventListener("pointerdown", (event) => {
    const element = event.target.closest(".sheet");
    if (!element || event.button) return;
    const sheet = sheets[Number(element.dataset.index)];
    if (sheet.state !== "ready") return;
    const box = event.target.closest("[data-id]");
    drag = { sheet, box: box && box.dataset.id, from: sheet.svg ? at(event, sheet) : null, rect: null, touch: event.pointerType === "touch" };
    canvas.focus({ preventScroll: true });
    if (sheet.svg && !drag.touch) event.preventDefault();
  });

  canvas.addEventListener("pointermove", (event) => {
    if (!drag || !drag.from || drag.touch || !decides) return;
    const [x, y] = at(event, drag.sheet);
    if (!drag.rect && Math.hypot(x - drag.from[0], y - drag.from[1]) < 4) return;
    if (!drag.rect) {
      drag.rect = document.createElementNS(SVG, "rect");
      drag.rect.setAttribute("class", "drag");
      drag.sheet.svg.append(drag.rect);
      canvas.classList.add("dragging");
      canvas.setPointerCapture(event.pointerId);
    }
    drag.box_ = [Math.min(x, drag.from[0]), Math.min(y, drag.from[1]), Math.abs(x - drag.from[0]), Math.abs(y - drag.from[1])];
    ["x", "y", "width", "height"].forEach((side, number) => drag.rect.setAttribute(side, drag.box_[number]));
  });

  const endDrag = async (event) => {
    const done = drag;
    drag = null;
    canvas.classList.remove("dragging");
    if (!done) return;
    if (done.rect) {
      await addFound(done.sheet, { box: done.box_ });
      done.rect.remove();
    } else if (done.box) {
      const one = done.sheet.list.find((other) => other.id === done.box);
      if (one && event.type === "pointerup" && !selected(done.sheet)) choose(done.sheet, one, { scroll: false });
    }
    if (!done.sheet.svg && decides) addSelected(done.sheet);
  };
  canvas.addEventListener("pointerup", endDrag);
  canvas.addEventListener("pointercancel", endDrag);

  /* In a text, words are selected as in any text. Offsets count characters, not halves of them. */
  const selected = (sheet) => {
    const choice = window.getSelection();
    if (sheet.svg || !choice || choice.isCollapsed || !choice.rangeCount) return null;
    const range = choice.getRangeAt(0);
    if (!sheet.element.contains(range.startContainer) || !sheet.element.contains(range.endContainer)) return null;
    const before = document.createRange();
    before.selectNodeContents(sheet.element);
    before.setEnd(range.startContainer, range.startOffset);
    const text = range.toString();
    const lead = text.length - text.trimStart().length;
    const start = sheet.item.start + [...before.toString()].length + lead;
    const length = [...text.trim()].length;
    return length ? { start, end: start + length } : null;
  };

  const addSelected = async (sheet) => {
    const span = selected(sheet);
    if (!span) return;
    const kind = await askType("Which type is it?");
    window.getSelection().removeAllRanges();
    if (kind) add(sheet, [span], kind);
  };

  /* --- keys and buttons --- */

  let hidden = false;
  const hide = () => {
    hidden = !hidden;
    canvas.classList.toggle("hide-boxes", hidden);
    desk.querySelector('[data-do="hide"]').setAttribute("aria-pressed", String(hidden));
    say(hidden ? "Boxes are hidden" : "Boxes are shown");
  };

  const deeds = {
    accept: () => decide("accept"),
    reject: () => decide("reject"),
    retype,
    cci: () => decide("retype", CCI),
    everywhere,
    undo,
    next: () => go(1),
    previous: () => go(-1),
    page: nextPage,
    seen,
    missed,
    hide,
    keys: () => open("keys-dialog"),
  };
  const keys = {
    a: "accept", r: "reject", t: "retype", c: "cci", e: "everywhere", u: "undo", n: "page", s: "seen", m: "missed",
    h: "hide", "?": "keys",
  };

  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      byId("by-type").focus();
      return;
    }
    const deed = event.key === "Tab" ? (event.shiftKey ? "previous" : "next") : keys[event.key.toLowerCase()];
    if (!deed) return;
    event.preventDefault();
    deeds[deed]();
  });

  desk.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (!button) return;
    deeds[button.dataset.do]();
    if (event.detail && !document.querySelector("dialog[open]")) canvas.focus({ preventScroll: true });
  });

  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, textarea, dialog, .canvas");
    if (event.key === "?" && !typing) open("keys-dialog");
  });

  byId("go-to").addEventListener("change", () => {
    const sheet = sheets[Math.min(Math.max(1, Number(byId("go-to").value) || 1), sheets.length) - 1];
    if (sheet) toSheet(sheet);
  });

  /* --- filters --- */

  const filter = async () => {
    const wanted = Object.fromEntries(["type", "source", "subject"].filter((one) => only[one]).map((one) => [one, only[one]]));
    if (!Object.keys(wanted).length && !only.differ) {
      shown = null;
    } else {
      const found = await ask("pages", only.differ ? { ...wanted, differ: true } : wanted);
      shown = fillStates(found);
      if (found.differing) differing = new Set(found.differing);
    }
    repaintAll();
    for (const block of mapButtons.keys()) paintMap(block);
    const left = shown ? [...shown.values()].reduce((sum, one) => sum + one.findings, 0) : null;
    if (left !== null) say(`${count(only.differ ? differing.size : left)} findings are shown`);
  };

  const readFilter = () => {
    only = {
      type: byId("by-type").value, source: byId("by-source").value, subject: byId("by-subject").value,
      differ: byId("by-differ").checked,
    };
    filter().catch((error) => tell(error.problem || "The server does not answer.", error.hint || "Try again."));
  };
  for (const id of ["by-type", "by-source", "by-subject", "by-differ"]) byId(id).addEventListener("change", readFilter);

  const fillFilter = (id, listed, word) => {
    byId(id).append(...listed.map((one) => new Option(`${word}${one.value} (${count(one.findings)})`, one.value)));
  };

  /* --- begin --- */

  /* Pictures need the sizes of pages only; findings, which take longer to read, come after them. */
  const begin = async () => {
    const { items } = await sizes;
    byId("gate").hidden = true;
    canvas.hidden = false;
    makeSheets(items);
    if (sheets.length) showWhere(sheets[0]);
    canvas.focus({ preventScroll: true });
    inspect();
    const found = await ready;
    const known = new Set(items.map((one) => one.block));
    addSheets(found.pages.filter((one) => !known.has(one.block)).map((one) => ({ block: one.block, start: 0, end: null })));
    makeMap();
    if (where) { const sheet = where; where = null; showWhere(sheet); }
  };

  const sizes = ask("items");
  sizes.catch(() => {});
  const prepare = async () => {
    const found = await ask("pages");
    types = found.types;
    progress = fillStates(found);
    fillFilter("by-type", found.kinds.types, "");
    fillFilter("by-source", found.kinds.sources, "");
    fillFilter("by-subject", found.kinds.participants, "Row ");
    byId("differ-line").hidden = !found.differences;
    byId("differ-count").textContent = count(found.differences);
    showProgress();
    showSaved(decides ? "Nothing to save" : "You can look, but not decide: that needs the role reviewer.");
    byId("bar").dataset.ready = "true";
    return found;
  };

  const ready = prepare().catch((error) => {
    tell(error.problem || "The findings could not be loaded.", error.hint || "Load the page again.");
    byId("gate").hidden = true;
    showSaved("Not loaded");
    throw error;
  });
  ready.catch(() => {});
  inspect();

  byId("show").addEventListener("click", async () => {
    byId("show").disabled = true;
    try {
      const answer = await reidrisk.send(url("show"));
      if (!answer.ok) throw await told(answer);
      await begin();
    } catch (error) {
      byId("show").disabled = false;
      tell(error.problem || "The server does not answer.", error.hint || "Try again.");
    }
  });
  if (desk.hasAttribute("data-shown")) begin().catch((error) => tell(error.problem || "The pages could not be loaded.", error.hint || "Load the page again."));

  let resized = 0;
  window.addEventListener("resize", () => {
    clearTimeout(resized);
    resized = setTimeout(() => {
      const sheet = where;
      sheets.forEach(size);
      if (sheet) canvas.scrollTop += sheet.element.getBoundingClientRect().top - canvas.getBoundingClientRect().top - 8;
    }, 100);
  });
})();
