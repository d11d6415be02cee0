"use strict";
/* Sliders: show the value, send only those that were moved, put them back. Buttons that clear a place. */
(() => {
  const shown = (slider) => {
    const value = Number(slider.value);
    return slider.dataset.shows === "percent" ? `${(100 * value).toFixed(1)} %` : String(value);
  };

  const tell = (slider, text) => {
    const output = document.getElementById(slider.dataset.output);
    if (output) output.textContent = text;
    slider.setAttribute("aria-valuetext", text);
  };

  document.addEventListener("input", (event) => {
    const slider = event.target;
    if (!(slider instanceof HTMLInputElement) || !slider.dataset.output) return;
    tell(slider, shown(slider));
    if (!slider.dataset.name) return;
    slider.name = slider.dataset.name;
    slider.form.dispatchEvent(new CustomEvent("changed"));
  });

  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (!button) return;
    if (button.dataset.clear) {
      document.getElementById(button.dataset.clear).replaceChildren();
    } else if (button.hasAttribute("data-reset")) {
      for (const slider of button.form.querySelectorAll("input[data-name]")) {
        slider.value = slider.defaultValue;
        slider.removeAttribute("name");
        tell(slider, document.getElementById(slider.dataset.output).dataset.first);
      }
      button.form.dispatchEvent(new CustomEvent("changed"));
    }
  });
})();
