import { expect, test } from "vitest";
import { detached } from "../../src/config/detached.ts";

test.each(["", "plain", "caf\u00e9 \u00ff\u0000", "日本語", "é日", "\ud800", "👩\u200d👧"])(
  "a detached text is the same text: %j",
  (text) => {
    expect(detached(text)).toBe(text);
  },
);
