// The slider of a rebuilt page: each of its steps is a time at which something was learned.
"use strict";
(() => {
  const label = document.getElementById("slide");
  if (!label) return;
  const slider = label.querySelector("input");
  const moments = slider.dataset.moments.split(" ");
  const at = slider.form.elements.at;
  const tell = () => {
    at.value = moments[slider.value];
    slider.setAttribute("aria-valuetext", at.value);
  };
  // It keeps the focus on the page that comes: the next key moves it on.
  const moved = (value) => { try { sessionStorage.setItem("moved", value); } catch { /* private windows may refuse */ } };
  const wasMoved = () => { try { return sessionStorage.getItem("moved") === location.pathname; } catch { return false; } };
  slider.setAttribute("aria-valuetext", at.value);
  slider.addEventListener("input", tell);
  slider.addEventListener("change", () => { tell(); moved(location.pathname); slider.form.submit(); });
  label.hidden = false;
  if (wasMoved()) { moved(""); slider.focus({ preventScroll: true }); }
})();
