// What the pages can do beyond links and forms. Everything works without it.
"use strict";

// --- results while typing: the server renders (and escapes) them, here they only change places ---------

const form = document.getElementById("search");
const results = document.getElementById("results");
const parser = new DOMParser();
let running = null;
let timer = 0;
let settled = 0;

function address(path) {
  const given = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (value) given.append(name, value);
  }
  const query = given.toString();
  return query ? `${path}?${query}` : path;
}

async function refresh() {
  clearTimeout(settled);
  if (running) running.abort();
  running = new AbortController();
  results.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address("/results"), { signal: running.signal, credentials: "same-origin" });
    if (!answer.ok) throw new Error(String(answer.status));
    const page = parser.parseFromString(await answer.text(), "text/html");
    const wasOpen = document.getElementById("filters")?.checked;
    results.replaceChildren(...page.body.childNodes);
    const filters = document.getElementById("filters");
    if (filters && wasOpen) filters.checked = true;
    history.replaceState(null, "", address("/"));
    const words = form.elements.q.value;
    document.title = words ? `${words} – Harvest` : "Harvest";
    results.removeAttribute("aria-busy");
    // Who looks at the results for a moment has asked; what was typed on the way there is not counted.
    if (words) settled = setTimeout(() => fetch(address("/asked")).catch(() => {}), 1500);
  } catch (error) {
    if (error.name !== "AbortError") results.removeAttribute("aria-busy");
  }
}

if (form && results) {
  form.elements.q.addEventListener("input", (event) => {
    if (event.isComposing) return; // an unfinished Chinese or Japanese word
    clearTimeout(timer);
    timer = setTimeout(refresh, 120);
  });
  form.elements.q.addEventListener("compositionend", () => {
    clearTimeout(timer);
    timer = setTimeout(refresh, 60);
  });
  form.addEventListener("submit", () => clearTimeout(timer));
}

// --- keys: / searches, j and k move over the rows, Enter opens (it is a link), Escape leaves the field --

function move(step) {
  const names = [...document.querySelectorAll(".rows .name")];
  if (!names.length) return;
  const at = names.findIndex((name) => name.closest(".row").contains(document.activeElement));
  const next = at < 0 ? (step > 0 ? 0 : names.length - 1) : Math.min(Math.max(at + step, 0), names.length - 1);
  names[next].focus();
  names[next].closest(".row").scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.closest("input:not([type=checkbox]), textarea, select");
  if (typing) {
    if (form && event.target === form.elements.q) {
      if (event.key === "Escape") event.target.blur();
      if (event.key === "ArrowDown" && !event.isComposing) {
        event.preventDefault();
        move(1);
      }
    }
    return;
  }
  if (event.key === "/") {
    event.preventDefault();
    if (!form) {
      location.href = "/";
      return;
    }
    form.elements.q.focus();
    form.elements.q.select();
  } else if (event.key === "j" || event.key === "ArrowDown" && document.activeElement?.matches(".name")) {
    event.preventDefault();
    move(1);
  } else if (event.key === "k" || event.key === "ArrowUp" && document.activeElement?.matches(".name")) {
    event.preventDefault();
    move(-1);
  }
});

// --- copying, where the browser lets us --------------------------------------------------------------

for (const button of document.querySelectorAll("button[data-copy]")) {
  if (!navigator.clipboard) break;
  const text = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = text; }, 1500);
  });
}
