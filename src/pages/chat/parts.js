/** An element with a class and a text. */
export function element(name, className = "", text) {
  const made = document.createElement(name);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}
