// The page's own script: signs in, keeps the screen up to date, and carries out second steps.
// Whatever it puts into the page as HTML was made by the server's templates, which escape everything.
"use strict";

document.documentElement.classList.add("js");

const UNREACHED = "packd cannot be reached. Run `packd ui` again.";

const byId = (id) => document.getElementById(id);
const token = () => document.querySelector('meta[name="packd-token"]')?.content;

async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  if (token()) headers["X-Packd-Token"] = token();
  try {
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    const told = await answer.json().catch(() => ({ message: "The answer could not be read." }));
    return { ok: answer.ok, status: answer.status, told };
  } catch {
    return { ok: false, status: 0, told: { message: UNREACHED } };
  }
}

// ---- signing in: the code leaves the address bar before anything else happens

async function signIn(code) {
  history.replaceState(null, "", "/");
  const place = byId("sign-in") || byId("live");
  // A browser that was started on a file stands before a refusal until the code is exchanged.
  if (place) place.textContent = "Signing in…";
  const { ok, told } = await post("/sign-in", { code });
  if (ok) {
    location.replace("/");
    return;
  }
  if (place) place.textContent = told.message + " " + (told.hint || "");
}

// The address of a new code may be put into a tab that shows the page already.
const codeInAddress = () => /^#[0-9a-f]{64}$/.test(location.hash) && location.hash.slice(1);
addEventListener("hashchange", () => codeInAddress() && signIn(codeInAddress()));

// ---- keeping up: one tab listens for all of them, since a browser gives a server only a few connections

function begin() {
  say("");
  tidy();
  document.addEventListener("click", clicked);
  document.addEventListener("pointerdown", () => (pressing = true));
  for (const over of ["pointerup", "pointercancel"]) document.addEventListener(over, () => setTimeout(released));
  byId("second-cancel").addEventListener("click", () => byId("second").close());
  byId("second").querySelector("form").addEventListener("submit", submitted);
  byId("project")?.addEventListener("change", (event) => event.target.form.submit());

  const channel = "BroadcastChannel" in window ? new BroadcastChannel("packd-news") : null;
  if (channel) channel.onmessage = (event) => heard(event.data);
  const listen = () =>
    new Promise(() => {
      const stream = new EventSource("/events");
      const tell = (kind) => () => {
        heard(kind);
        channel?.postMessage(kind);
      };
      stream.addEventListener("news", tell("news"));
      stream.addEventListener("ending", tell("ending"));
      stream.addEventListener("signed-out", tell("signed-out"));
      stream.onerror = () => {
        if (stream.readyState === EventSource.CLOSED) tell("ending")();
      };
      stream.addEventListener("ending", () => stream.close());
      stream.addEventListener("signed-out", () => stream.close());
    });
  if (navigator.locks && channel) navigator.locks.request("packd-events", listen);
  else listen();
  // Idle times and "3 min ago" grow without news.
  setInterval(() => refresh(), 30000);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && missed) refresh();
  });
}

let missed = false;
let busy = false;
let again = false;
let pressing = false;

// A button must not be exchanged between the two halves of a click.
function released() {
  pressing = false;
  if (again && !busy) refresh();
}

function heard(kind) {
  if (kind === "ending") return say("packd has stopped. Run `packd ui` again.");
  if (kind === "signed-out") return location.reload();
  if (document.hidden) missed = true;
  else refresh();
}

function say(text) {
  const live = byId("live");
  if (live) live.textContent = text;
}

// Asks for the same screen again and puts in what changed; what a person is reading or typing stays.
async function refresh() {
  if (busy || pressing) {
    again = true;
    return;
  }
  busy = true;
  again = false;
  missed = false;
  try {
    const answer = await fetch(location.pathname + location.search);
    if (answer.status === 401) return location.reload();
    if (answer.ok) {
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      const main = fresh.querySelector("main");
      if (pressing) again = true;
      else if (main && token()) exchange(byId("main"), main);
      if (byId("live").textContent === UNREACHED) say("");
      tidy();
    }
  } catch {
    say(UNREACHED);
  } finally {
    busy = false;
    if (again && !pressing) refresh();
  }
}

// Part by part, so that what did not change keeps its place, its focus and what is unfolded.
function exchange(old, fresh) {
  const before = [...old.children];
  const after = [...fresh.children];
  if (before.length !== after.length) {
    swap(old, fresh, true);
    return;
  }
  before.forEach((one, at) => {
    const other = after[at];
    if (one.dataset.part) return;
    const nested = one.querySelector("[data-part]");
    const place = other.querySelector("[data-part]");
    if (nested && place && nested.dataset.part === place.dataset.part) place.replaceWith(nested.cloneNode(true));
    if (one.outerHTML === other.outerHTML) return;
    if (one.tagName === "FORM" && one.contains(document.activeElement)) return;
    swap(one, other, false);
  });
}

function swap(old, fresh, inner) {
  const active = document.activeElement;
  const held = old.contains(active) ? describe(active) : null;
  if (held && active.matches("input, select, textarea")) return;
  const open = [...old.querySelectorAll("details")].map((one) => one.open);
  const scrolled = [...old.querySelectorAll("pre")].map((one) => one.scrollTop);
  const made = document.importNode(fresh, true);
  made.querySelectorAll("details").forEach((one, at) => (one.open = open[at] || false));
  if (inner) old.replaceChildren(...made.childNodes);
  else old.replaceWith(made);
  const place = inner ? old : made;
  place.querySelectorAll("pre").forEach((one, at) => {
    if (!one.dataset.follow) one.scrollTop = scrolled[at] || 0;
  });
  if (held) place.querySelector(held)?.focus();
}

function describe(one) {
  if (one.id) return "#" + CSS.escape(one.id);
  if (one.dataset.act) return `[data-act="${one.dataset.act}"][data-id="${CSS.escape(one.dataset.id)}"]`;
  if (one.tagName === "A") return `a[href="${CSS.escape(one.getAttribute("href"))}"]`;
  return null;
}

const loaded = new Map();

// Parts that look at files come after the rest.
async function loadParts() {
  for (const part of document.querySelectorAll("[data-part]")) {
    const address = part.dataset.part;
    const last = loaded.get(address) || 0;
    const wait = address.startsWith("/part/plots") ? 2000 : 20000;
    if (part.dataset.there && Date.now() - last < wait) continue;
    loaded.set(address, Date.now());
    try {
      const answer = await fetch(address);
      if (!answer.ok) continue;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const place of document.querySelectorAll(`[data-part="${CSS.escape(address)}"]`)) {
        const made = document.importNode(fresh.querySelector("main .part"), true);
        place.querySelector(".part").replaceChildren(...made.childNodes);
        place.dataset.there = "yes";
      }
    } catch {
      // The next refresh tries again.
    }
  }
}

// What is done whenever the screen is new.
function tidy() {
  closeDecided();
  loadParts();
  tidyTimes();
  followEnds();
  // How much waits is seen on a tab that is not looked at.
  const waiting = document.querySelectorAll("article.ask, .attention").length;
  if (byId("needs")) document.title = waiting ? `(${waiting}) packd` : "packd";
}

function tidyTimes() {
  for (const one of document.querySelectorAll("time[datetime]")) {
    if (!one.title) one.title = new Date(one.dateTime).toLocaleString();
  }
}

function followEnds() {
  for (const log of document.querySelectorAll('pre[data-follow="end"]')) log.scrollTop = log.scrollHeight;
}

// ---- acting: one click, or a dialog where a second step is needed

let step = null;

// What was decided here. A screen that was asked for before the decision may still arrive after it, and must not
// offer the same question again.
const decided = new Set();

function closeDecided() {
  for (const button of document.querySelectorAll("button[data-act='approve'], button[data-act='decline']")) {
    if (decided.has(button.dataset.id)) button.disabled = true;
  }
}

let acting = false;

// One thing at a time: the second click of a double click decides nothing.
async function clicked(event) {
  const button = event.target.closest("button[data-act]");
  if (!button || button.disabled || acting) return;
  acting = true;
  try {
    await act(button);
  } finally {
    acting = false;
  }
}

async function act(button) {
  const { act, id } = button.dataset;
  if (act === "sign-out") {
    await post("/sign-out", {});
    location.reload();
  } else if (act === "decline") {
    done(await post("/decline", { id }), id);
  } else if (act === "approve") {
    const body = { id, shown: button.dataset.shown };
    if (button.dataset.typed) return second({ path: "/approve", body, word: "Approve", typed: button.dataset.typed });
    await attempt({ path: "/approve", body, word: "Approve" });
  } else {
    const looked = await post("/" + act, { operation_id: id });
    if (!looked.ok) return second({ word: button.textContent, error: looked.told });
    second({ path: "/" + act, body: { operation_id: id, yes: true }, word: button.textContent, preview: looked.told.preview });
  }
}

async function attempt(wanted) {
  const answer = await post(wanted.path, wanted.body);
  if (!answer.ok && answer.told.code === "needs_passphrase") return second({ ...wanted, passphrase: true });
  if (!answer.ok) return second({ ...wanted, path: null, error: answer.told });
  done(answer, wanted.body.id);
}

function done({ ok, told }, id) {
  if (ok && id) decided.add(id);
  closeDecided();
  say(ok ? told.message : told.message + " " + (told.hint || ""));
  refresh();
}

function second(wanted) {
  step = wanted;
  byId("second-title").textContent = wanted.path ? wanted.word + "?" : wanted.word + " is refused";
  const text = byId("second-text");
  if (wanted.preview) {
    const fresh = new DOMParser().parseFromString(wanted.preview, "text/html");
    text.replaceChildren(...[...fresh.body.childNodes].map((n) => document.importNode(n, true)));
  } else {
    text.replaceChildren();
  }
  byId("second-typed").hidden = !wanted.typed;
  byId("second-typed").querySelector("label").textContent = wanted.typed ? `Type ${wanted.typed} to go on` : "";
  byId("typed").value = "";
  byId("second-passphrase").hidden = !wanted.passphrase;
  byId("passphrase").value = "";
  complain(wanted.error);
  const go = byId("second-go");
  go.textContent = wanted.word;
  go.hidden = !wanted.path;
  byId("second-cancel").textContent = wanted.path ? "Cancel" : "Close";
  if (!byId("second").open) byId("second").showModal();
  tidyTimes();
  const first = wanted.typed ? byId("typed") : wanted.passphrase ? byId("passphrase") : wanted.path ? go : byId("second-cancel");
  first.focus();
}

function complain(told) {
  byId("second-error").textContent = told ? told.message + " " + (told.hint || "") : "";
}

async function submitted(event) {
  event.preventDefault();
  if (!step?.path) return;
  const body = { ...step.body };
  if (step.typed) body.typed = byId("typed").value;
  if (step.passphrase) body.passphrase = byId("passphrase").value;
  const go = byId("second-go");
  go.disabled = true;
  const answer = await post(step.path, body);
  go.disabled = false;
  byId("passphrase").value = "";
  if (answer.ok) {
    byId("second").close();
    done(answer, body.id);
  } else if (answer.told.code === "needs_passphrase") {
    step.passphrase = true;
    byId("second-passphrase").hidden = false;
    byId("passphrase").focus();
    complain(answer.told);
  } else if (answer.status === 401) {
    complain(answer.told);
    go.hidden = true;
  } else {
    complain(answer.told);
    refresh();
  }
}

// ---- where it begins

if (codeInAddress()) signIn(codeInAddress());
else if (token()) begin();
