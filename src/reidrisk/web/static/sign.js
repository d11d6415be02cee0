"use strict";
/* Keys: a chosen file goes into the form as text; a new key is saved as a file and chosen at once. */
(() => {
  const signing = document.getElementById("sign-form");
  const making = document.getElementById("key-form");
  if (signing) {
    window.reidrisk.sendAsText(document.getElementById("key-file"), document.getElementById("key"));
    signing.querySelector("button[type=submit]").disabled = false;
  }
  const role = document.getElementById("role");
  if (role) {
    const usual = () => [...role.options].map((one) => one.dataset.meaning);
    role.addEventListener("change", () => {
      const meaning = document.getElementById("meaning");
      if (!meaning.value || usual().includes(meaning.value)) meaning.value = role.selectedOptions[0].dataset.meaning;
    });
  }
  if (!making) return;
  const problem = document.getElementById("key-problem");
  const made = document.getElementById("key-made");
  making.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.hidden = made.hidden = true;
    if (making.passphrase.value !== making.again.value) {
      problem.textContent = "The two passphrases differ. Type the same one twice.";
      problem.hidden = false;
      making.again.focus();
      return;
    }
    const answer = await window.reidrisk.send(making.action, { body: new URLSearchParams(new FormData(making)) });
    const text = await answer.text();
    if (!answer.ok) {
      problem.textContent = "The key was not made. Check the name, and use a passphrase of at least 8 letters.";
      problem.hidden = false;
      return;
    }
    const name = (answer.headers.get("content-disposition") || "").match(/filename="([^"]+)"/);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/x-pem-file" }));
    link.download = name ? name[1] : "my.key";
    link.click();
    URL.revokeObjectURL(link.href);
    if (signing) {
      document.getElementById("key").value = text;
      document.getElementById("key-file").value = "";
      document.getElementById("key-note").textContent = `The new key ${link.download} is chosen.`;
      const own = document.getElementById("name");
      if (own && !own.value && making.elements.name) own.value = making.elements.name.value;
    }
    made.textContent = `Saved as ${link.download}. It is chosen for this signature; type its passphrase there.`;
    made.hidden = false;
    making.reset();
  });
})();
