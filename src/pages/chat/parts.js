/** Creates an element with a class and a text. */
export function createElement(name, className = "", text) {
  const made = document.createElement(name);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

export function createButton(label, act) {
  const made = createElement("button", "", label);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

export function createLabel(text, control) {
  const made = createElement("label", "", text);
  made.append(control);
  return made;
}

/**
 * Fills in the values of a text's `{name}` places. Embeddings and overrides are removed from them,
 * because they would turn the words around them.
 */
export function fill(text, values) {
  return text.replaceAll(/\{(\w+)\}/g, (place, name) =>
    String(values[name] ?? place).replaceAll(/[\u202a-\u202e]/g, ""),
  );
}

/** Finds the labels of bare yes and no: of the tag, of its language, or English ones. */
export function findPolarLabels({ polar }, tag) {
  const [language] = tag.split("-");
  return polar[tag] ?? polar[language] ?? polar.en;
}
