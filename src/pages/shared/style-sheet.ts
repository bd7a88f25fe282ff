/**
 * Adds a style sheet that only some views need. Resolves once it applies or has failed to load,
 * because a view that is shown earlier would move when its sheet arrives.
 */
export function addStyleSheet(address: URL): Promise<void> {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = address.href;
  const settled = new Promise<void>((resolve) => {
    for (const event of ["load", "error"]) sheet.addEventListener(event, () => resolve());
  });
  document.head.append(sheet);
  return settled;
}
