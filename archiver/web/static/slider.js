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
  slider.setAttribute("aria-valuetext", at.value);
  slider.addEventListener("input", tell);
  slider.addEventListener("change", () => { tell(); slider.form.submit(); });
  label.hidden = false;
})();
