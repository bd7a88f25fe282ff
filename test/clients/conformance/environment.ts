import { secrets } from "./configuration.ts";
import { credentials } from "./handing-over.ts";
import type { Setup } from "./runtime.ts";

/** The environment of a runtime under test. */
export function environmentOf(setup: Setup): Readonly<Record<string, string>> {
  return {
    ...secrets,
    ...(setup !== "plain" && credentials),
    ...(setup === "disabled" && { AFTERWORD_DISABLE: "1" }),
  };
}
