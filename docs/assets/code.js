// An option such as --cell-size stays on one line; browsers would break it at a hyphen.
for (const code of document.querySelectorAll(".md-typeset :not(pre) > code")) {
  if (code.textContent.length <= 24) code.style.whiteSpace = "nowrap"
}
