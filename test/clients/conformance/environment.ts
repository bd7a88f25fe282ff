import { secrets } from "./configuration.ts";
import { credentials } from "./handing-over.ts";
import type { Setup } from "./runtime.ts";

/** What a runtime is told beside the configuration. */
export function environmentOf(setup: Setup): Readonly<Record<string, string>> {
  return {
    ...secrets,
    ...(setup !== "plain" && credentials),
    ...(setup === "disabled" && { AFTERWORD_DISABLE: "1" }),
  };
}
