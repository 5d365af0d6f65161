// Light or dark: as the system has it, unless the reader chose one here.
"use strict";
(() => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const isDark = () => (chosen() ?? (system.matches ? "dark" : "light")) === "dark";
  const apply = () => {
    root.dataset.theme = isDark() ? "dark" : "light";
    const button = document.getElementById("theme");
    if (button) { button.hidden = false; button.textContent = isDark() ? "Light" : "Dark"; }
  };
  apply();
  system.addEventListener("change", apply);
  addEventListener("DOMContentLoaded", () => {
    apply();
    document.getElementById("theme")?.addEventListener("click", () => {
      try { localStorage.setItem("theme", isDark() ? "light" : "dark"); } catch { /* private windows may refuse */ }
      apply();
    });
  });
})();
