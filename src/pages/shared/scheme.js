// The header chooses the look of the pages, and has a link past itself.
// Light, dark, or as the system: kept for all pages of this address. In front of everything else,
// so that no page is painted in other colours first.
const KEY = "afterword.scheme";
const show = (scheme) => {
  const known = ["light", "dark"].includes(scheme) ? scheme : "system";
  document.documentElement.dataset.scheme = known;
  for (const choice of document.querySelectorAll(".scheme input"))
    choice.checked = choice.value === known;
};
const showKept = () => {
  try {
    show(localStorage.getItem(KEY));
  } catch {
    // The storage is switched off: the page works, and forgets when it is loaded again.
    show("system");
  }
};
showKept();
// Another page of ours has changed it.
addEventListener("storage", ({ key }) => key === KEY && showKept());
addEventListener("DOMContentLoaded", () => {
  document.querySelector(".skip").addEventListener("click", (event) => {
    // The part behind # names what a page shows, so the link does not go there itself.
    event.preventDefault();
    const main = document.querySelector("main");
    // On a phone the list may be all that is seen of a desk.
    const seen = main.offsetWidth > 1 ? main : main.previousElementSibling;
    seen.tabIndex = -1;
    seen.focus();
  });
  for (const choice of document.querySelectorAll(".scheme input")) {
    choice.closest("fieldset").hidden = false;
    choice.addEventListener("change", () => {
      show(choice.value);
      try {
        localStorage.setItem(KEY, choice.value);
      } catch {}
    });
  }
  show(document.documentElement.dataset.scheme);
});
