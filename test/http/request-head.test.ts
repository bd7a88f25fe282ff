import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatHead } from "../../src/http/request.ts";
import { anyText } from "../fixtures/runs.ts";

describe("the head of a request", () => {
  it("names the host that the request names, once, or the connection's", () => {
    expect(formatHead("GET", "/", ["HOST", "a", "host", "b"], "c", null)).toBe(
      "GET / HTTP/1.1\r\nHOST: a\r\n\r\n",
    );
    expect(formatHead("GET", "/", [], "c:8080", null)).toBe(
      "GET / HTTP/1.1\r\nhost: c:8080\r\n\r\n",
    );
  });

  it("announces an empty body only where one is expected", () => {
    expect(formatHead("POST", "/", [], "c", null)).toContain("content-length: 0\r\n");
    expect(formatHead("DELETE", "/", [], "c", null)).not.toContain("content-length");
    expect(formatHead("DELETE", "/", [], "c", 0)).toContain("content-length: 0\r\n");
  });

  it("measures a body whose length is known, and announces chunks for another", () => {
    expect(formatHead("PUT", "/", ["Content-Length", "9"], "c", "unknown")).toBe(
      "PUT / HTTP/1.1\r\nhost: c\r\ntransfer-encoding: chunked\r\n\r\n",
    );
    expect(formatHead("PUT", "/", ["Transfer-Encoding", "chunked"], "c", 9)).toBe(
      "PUT / HTTP/1.1\r\nhost: c\r\ncontent-length: 9\r\n\r\n",
    );
  });

  it("has one line for each field and no other, or there is none", () => {
    const odd = anyText({ maxLength: 12 });
    const name = fc.oneof(fc.constantFrom("X-a", "host", "Expect", "~", "content-LENGTH"), odd);
    const value = fc.oneof(fc.constantFrom("", "1", "a b", "\xe9", "\t"), odd);
    let made = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 4 }), (fields) => {
        const head = formatHead("POST", "/", fields.flat(), "c", 3);
        const bad = fields.some(
          ([one, other]) =>
            !/^[\w!#$%&'*+.^`|~-]+$/.test(one) ||
            (!framed.test(one) && !/^[\t\x20-\x7e\x80-\xff]*$/.test(other)),
        );
        expect(head === null).toBe(bad);
        if (head === null) return;
        made++;
        const [start, ...lines] = head.slice(0, -4).split("\r\n");
        expect([start, lines.at(-1)]).toEqual(["POST / HTTP/1.1", "content-length: 3"]);
        const kept = fields.filter(([one]) => !framed.test(one) && !/^host$/i.test(one));
        const hosts = fields.filter(([one]) => /^host$/i.test(one)).slice(0, 1);
        const written = [...kept, ...(hosts.length > 0 ? hosts : [["host", "c"]])];
        expect(lines.slice(0, -1).toSorted()).toEqual(
          written.map(([one, other]) => `${one}: ${other}`).toSorted(),
        );
      }),
    );
    expect(made).toBeGreaterThan(0);
  });
});

const framed = /^(?:connection|content-length|expect|keep-alive|transfer-encoding|upgrade)$/i;
