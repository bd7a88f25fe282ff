import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requestHead } from "../../../src/runtime/bun/request-head.ts";

describe("the head of a request on Bun", () => {
  it("names the host that the request names, once, or the connection's", () => {
    expect(requestHead("GET", "/", ["HOST", "a", "host", "b"], "c", null)).toBe(
      "GET / HTTP/1.1\r\nHOST: a\r\n\r\n",
    );
    expect(requestHead("GET", "/", [], "c:8080", null)).toBe(
      "GET / HTTP/1.1\r\nhost: c:8080\r\n\r\n",
    );
  });

  it("announces a body of no bytes only where one is expected", () => {
    expect(requestHead("POST", "/", [], "c", null)).toContain("content-length: 0\r\n");
    expect(requestHead("DELETE", "/", [], "c", null)).not.toContain("content-length");
    expect(requestHead("DELETE", "/", [], "c", 0)).toContain("content-length: 0\r\n");
  });

  it("has one line for each field and no other, whatever the fields are", () => {
    const text = fc.string({ unit: "binary", maxLength: 12 });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (fields) => {
        const head = requestHead("POST", "/", fields.flat(), "c", 3);
        const [start, ...lines] = head.slice(0, -4).split("\r\n");
        expect(start).toBe("POST / HTTP/1.1");
        expect(lines.at(-1)).toBe("content-length: 3");
        expect(head).toMatch(/^(?:[\t\x20-\x7e\x80-\xff]|\r\n)*\r\n\r\n$/);
        const given = fields.map(([name, value]) => `${name}: ${value}`);
        for (const line of lines.slice(0, -1)) {
          expect([...given, "host: c"]).toContain(line);
        }
        expect(lines.filter((line) => /^host:/i.test(line))).toHaveLength(1);
        expect(lines.filter((line) => /^(?:transfer-encoding|connection):/i.test(line))).toEqual(
          [],
        );
      }),
      { numRuns: 50 },
    );
  });
});
