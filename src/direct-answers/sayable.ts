import type { RenderedLine } from "../locales/types.ts";

/** The last guard against an empty message: something stands between the quotes. */
export function isSayable(line: RenderedLine | null): line is RenderedLine {
  return line !== null && line.json.length > 2;
}
