/**
 * Metrics texts of several processes as one: counters and histograms are added up, and so are the
 * gauges of what is under way; of other gauges the greatest counts, so that one process that failed
 * is seen.
 */
export function sumMetrics(texts: readonly string[]): string {
  const families = new Map<string, Family>();
  for (const text of texts) addText(families, text);
  return written(families.values());
}

/** Without the gauges: what a process that is gone leaves behind. */
export function countersOf(text: string): string {
  const families = new Map<string, Family>();
  addText(families, text);
  return written([...families.values()].filter(({ type }) => type !== "gauge"));
}

interface Family {
  readonly name: string;
  /** The lines that describe it. */
  readonly about: readonly string[];
  readonly type: string;
  /** By name and labels, in the order of their first appearance. */
  readonly series: Map<string, number>;
}

const addedGauges: ReadonlySet<string> = new Set([
  "afterword_held_bytes",
  "afterword_in_flight",
  "afterword_queued",
  "afterword_streams",
]);

function addText(families: Map<string, Family>, text: string): void {
  let help = "";
  let family: Family | null = null;
  for (const line of text.split("\n")) {
    if (line.startsWith("# HELP ")) help = line;
    else if (line.startsWith("# TYPE ")) {
      const [name = "", type = ""] = line.slice("# TYPE ".length).split(" ");
      family = families.get(name) ?? { name, about: [help, line], type, series: new Map() };
      families.set(name, family);
    } else if (family !== null && line !== "") addLine(family, line);
  }
}

function addLine(family: Family, line: string): void {
  const end = line.lastIndexOf(" ");
  const key = line.slice(0, end);
  const value = Number(line.slice(end + 1));
  const known = family.series.get(key);
  const adds = family.type !== "gauge" || addedGauges.has(family.name);
  if (known === undefined) family.series.set(key, value);
  else family.series.set(key, adds ? known + value : Math.max(known, value));
}

function written(families: Iterable<Family>): string {
  const lines: string[] = [];
  for (const { name, about, series } of families) {
    lines.push(...about);
    for (const [key, value] of series) {
      // A counter that one process has not counted with, and another has with labels.
      if (key !== name || value !== 0 || series.size === 1) lines.push(`${key} ${value}`);
    }
  }
  return [...lines, ""].join("\n");
}
