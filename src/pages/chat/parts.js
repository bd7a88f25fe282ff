/** An element with a class and a text. */
export function element(name, className = "", text) {
  const made = document.createElement(name);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** A text with the values of its `{name}` places. */
export function fill(text, values) {
  return text.replaceAll(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
}

/** Labels of bare yes and no: of the tag, of its language, or English ones. */
export function polarLabels({ polar }, tag) {
  const [language] = tag.split("-");
  return polar[tag] ?? polar[language] ?? polar.en;
}
