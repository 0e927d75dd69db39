// Counts deadlines down, and shows what has changed as long as nothing is being typed.
"use strict";

const OFTEN = 2000;
const SELDOM = 10000;
let loaded = Date.now();

function tick() {
  for (const place of document.querySelectorAll("[data-left]")) {
    const left = Math.ceil(Number(place.dataset.left) - (Date.now() - loaded) / 1000);
    place.textContent = left > 0 ? place.dataset.text.replace("{n}", left) : place.dataset.late;
    place.classList.toggle("late", left <= 0);
    const button = place.closest("form").querySelector("button");
    if (button) button.disabled = left <= 0;
  }
}

function isTyping() {
  const inputs = [...document.querySelectorAll("#accounts input[name=answer]")];
  return inputs.some((one) => one.value || one === document.activeElement);
}

async function look() {
  const accounts = document.getElementById("accounts");
  if (!document.hidden && !isTyping()) {
    try {
      const answer = await fetch("/accounts", { credentials: "same-origin", redirect: "error" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("accounts");
      if (fresh && answer.ok && !isTyping()) {
        const open = new Set([...accounts.querySelectorAll("details[open]")].map((one) => one.closest("section").id));
        for (const one of fresh.querySelectorAll("details")) one.open = open.has(one.closest("section").id);
        accounts.replaceWith(fresh);
        loaded = Date.now();
        tick();
      }
    } catch {
      // The server is away for a moment, or the session has ended: the page stays as it is.
    }
  }
  setTimeout(look, document.getElementById("accounts").dataset.busy === "yes" ? OFTEN : SELDOM);
}

tick();
setInterval(tick, 1000);
setTimeout(look, document.getElementById("accounts").dataset.busy === "yes" ? OFTEN : SELDOM);
