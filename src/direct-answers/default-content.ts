import { FLAG_FACTS, type Flag } from "./flags.ts";

export interface DefaultContent {
  /**
   * Flags that this instance does not return, because the engine's default content answers instead.
   */
  readonly active: readonly Flag[];
  /**
   * Those of `active` whose default content is replaced by the owner's words where it is
   * recognised.
   */
  readonly replaced: readonly Flag[];
  /** A warning for the bot's owner, or null. */
  readonly warning: string | null;
}

/** The settings of a flag's default content. `replace` means that it is active, and its text replaced. */
export const DEFAULT_CONTENT_SETTINGS = ["active", "inactive", "replace"] as const;

/** English titles of the engine's default content, which clients rely on. */
export const DEFAULT_CONTENT_TITLES: { readonly [flag in Flag]?: string } = {
  welcome: "Welcome",
  "no-results": "No Results",
  "all-options-discarded": "All options discarded",
};

/**
 * Lists the default content that is active on an instance (seed.md, Chatbot rule 2): that of `welcome`,
 * `no-results` and `all-options-discarded` on instances created in the fourth quarter of 2018 or
 * later. A setting per flag wins over the date.
 *
 * @param created calendar date `YYYY-MM-DD`, or null when the owner did not say
 * @example
 * const { active } = listActiveDefaultContent("2019-03-01", { welcome: "inactive" });
 * active; // ["all-options-discarded", "no-results"]
 */
export function listActiveDefaultContent(
  created: string | null,
  overrides: {
    readonly [flag in Flag]?: (typeof DEFAULT_CONTENT_SETTINGS)[number] | undefined;
  },
): DefaultContent {
  const activeByDate = created === null ? false : isFromFourthQuarter2018(created);
  const active = FLAG_FACTS.filter(({ name, defaultContent }) => {
    if (!defaultContent) return false;
    return overrides[name] === undefined ? activeByDate === true : overrides[name] !== "inactive";
  }).map((facts) => facts.name);
  const decidedByDate = FLAG_FACTS.some(
    ({ name, defaultContent }) => defaultContent && overrides[name] === undefined,
  );
  const replaced = active.filter((flag) => overrides[flag] === "replace");
  return { active, replaced, warning: decidedByDate ? warningFor(created, activeByDate) : null };
}

/** True for an existing date, written `YYYY-MM-DD`. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(text)) return false;
  const parsed = new Date(`${text}T00:00:00Z`);
  // 2018-02-30 would become a day in March, or no date at all.
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text);
}

const FIRST_DAY = "2018-10-01";

/** Null for a text that is not a date. Dates are compared as text, without time zones. */
function isFromFourthQuarter2018(created: string): boolean | null {
  return isCalendarDate(created) ? created >= FIRST_DAY : null;
}

function warningFor(created: string | null, activeByDate: boolean | null): string | null {
  if (created === null) {
    return `created is not set, so default content counts as inactive; set created to the instance's date (active from ${FIRST_DAY} on)`;
  }
  if (activeByDate === null) {
    return `created is ${JSON.stringify(created)}, which is not a calendar date (YYYY-MM-DD), so default content counts as inactive`;
  }
  return null;
}
