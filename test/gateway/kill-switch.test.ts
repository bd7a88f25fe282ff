import { describe, expect, it } from "vitest";
import { readKillSwitch } from "../../src/gateway/kill-switch.ts";

describe("AFTERWORD_DISABLE", () => {
  it.each(["1", "true", "yes", "on", "TRUE", " On "])("%j switches off", (given) => {
    expect(readKillSwitch(given)).toBe(true);
  });

  it.each([undefined, "", "0", "false", "no", "off", "Off"])("%j does not", (given) => {
    expect(readKillSwitch(given)).toBe(false);
  });

  it.each(["treu", "2", "disable", "y", "null"])("%j is refused in one line", (given) => {
    expect(() => readKillSwitch(given)).toThrow(
      `AFTERWORD_DISABLE is 1, true, yes or on, or 0, false, no, off or empty, not "${given}"`,
    );
  });
});
