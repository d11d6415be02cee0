"use strict";
/* The public keys in the chosen files go into the form as text. Without that, they would be left out unseen. */
(() => {
  const files = document.getElementById("trusted-files");
  if (!files) return;
  const field = document.getElementById("trusted");
  window.reidrisk.sendAsText(files, field);
  field.form.querySelector("button[type=submit]").disabled = false;
})();
