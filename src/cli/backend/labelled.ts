/** Rows of a label and its value, as credentials are shown. */
export function labelled(rows: readonly (readonly [label: string, value: string])[]): string {
  return rows.map(([label, value]) => `${label.padEnd(12)}${value}\n`).join("");
}
