import { AfterwordError } from "../errors.ts";

/**
 * AFTERWORD_DISABLE: true when no text is to be edited.
 *
 * @throws AfterwordError `argument-invalid` for anything else than yes or no: nobody may believe
 *   that it is on when it is not
 */
export function readKillSwitch(given: string | undefined): boolean {
  const value = (given ?? "").trim().toLowerCase();
  if (on.has(value)) return true;
  if (off.has(value)) return false;
  throw new AfterwordError(
    "argument-invalid",
    `AFTERWORD_DISABLE is 1, true, yes or on, or 0, false, no, off or empty, not "${given}"`,
  );
}

const on: ReadonlySet<string> = new Set(["1", "true", "yes", "on"]);
const off: ReadonlySet<string> = new Set(["", "0", "false", "no", "off"]);
