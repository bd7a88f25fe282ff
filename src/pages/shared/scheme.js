// This script switches between light, dark and the system's colours, for all pages of this address,
// and moves the focus when the link past the header is used. It runs before the page is painted, so
// that no page appears in other colours first.
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
    // Without storage, the choice lasts until the page is loaded again.
    show("system");
  }
};
showKept();
// Another page of this address has changed it.
addEventListener("storage", ({ key }) => key === KEY && showKept());
addEventListener("DOMContentLoaded", () => {
  document.querySelector(".skip").addEventListener("click", (event) => {
    // The part behind # names what a page shows, so the link does not go there itself.
    event.preventDefault();
    const main = document.querySelector("main");
    // The page's modules may still be loading.
    if (main === null) return;
    // On a phone the desk may show its list alone.
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
