import { type Finding, isMissed, type Measure } from "./measure.ts";

const WORST = 3;
const MISSED = "MISSED";

/** The measures as lines of text: the number, its target, and the worst findings or all of them. */
export function reportOf(measures: readonly Measure[], all: boolean): string {
  const widest = Math.max(...measures.map(({ title }) => title.length));
  const parts = measures.map((measure) => {
    const { title, value, most, note, findings, inOrder } = measure;
    const mark = (isMissed(measure) ? MISSED : "").padEnd(MISSED.length);
    const number = value.toLocaleString("en").padStart(7);
    const target = most === null ? "" : `at most ${most.toLocaleString("en")}`;
    const more = note === undefined ? "" : `  (${note})`;
    const line = `${mark}  ${title.padEnd(widest)} ${number}  ${target}${more}`.trimEnd();
    const worst = inOrder === true || !isMissed(measure) ? [] : findings.slice(0, WORST);
    return [line, ...(all ? findings : worst).map(lineOf)].join("\n");
  });
  const missed = measures.filter(isMissed).length;
  return `${parts.join("\n")}\n\n${missed} of ${measures.length} missed\n`;
}

function lineOf({ name, size, detail }: Finding): string {
  const number = size === undefined ? "" : `${size.toLocaleString("en")}  `.padStart(8);
  return `          ${number}${name}${detail === undefined ? "" : `  ${detail}`}`;
}
