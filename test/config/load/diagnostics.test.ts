import { expect, test } from "vitest";
import { formatDiagnostics } from "../../../src/yaml/format-diagnostics.ts";
import { createReporter } from "../../../src/yaml/diagnostic.ts";
import { findNearest } from "../../../src/yaml/nearest.ts";
import { createCodeFrame, createSource, positionAt } from "../../../src/yaml/source.ts";

const text = "version: 1\nlisten: here\ndata: x\nlimits: {}\n";
const source = createSource("a.yaml", text);

test("a code frame shows the line between its neighbours", () => {
  expect(createCodeFrame(source, { start: 19, end: 23 })).toBe(
    "  1 | version: 1\n> 2 | listen: here\n    |         ^^^^\n  3 | data: x",
  );
});

test("a long line is cut around the place", () => {
  const long = createSource("a.yaml", `${"a".repeat(500)}HERE${"b".repeat(500)}`);
  const frame = createCodeFrame(long, { start: 500, end: 504 });
  const [shown = "", marker = ""] = frame.split("\n");
  expect(shown.length).toBeLessThan(120);
  expect(shown.slice(marker.indexOf("^"), marker.lastIndexOf("^") + 1)).toBe("HERE");
});

test("positions count from 1, and lines end at \\n whatever stands before it", () => {
  const crlf = createSource("a", "a\r\nbc\r\n");
  expect(positionAt(crlf, 0)).toEqual({ line: 1, column: 1 });
  expect(positionAt(crlf, 4)).toEqual({ line: 2, column: 2 });
  expect(positionAt(crlf, 99)).toMatchObject({ line: 3 });
});

test.each([
  "    secret: hunter2",
  "    secret: hun, ter2 # x",
  "{ apiKey: a, chatSecret: 'hun''ter2', room: 1 }",
  '{ "secret": "hun, ter\\"2" }',
  "database: postgres://user:hunter2@db/x",
  "    password: hunter2",
  "    key: hunter2",
])("a frame hides the secret in %s", (line) => {
  const frame = createCodeFrame(createSource("a", line), { start: 0, end: 1 });
  expect(frame).not.toMatch(/hun|ter/);
  expect(frame).toContain("*");
});

test("a frame hides a secret on the lines below its key", () => {
  const block = createSource("a", "secret: |\n  hunter2\nx: 1\n");
  expect(createCodeFrame(block, { start: 21, end: 22 })).not.toContain("hunter2");
});

test("a frame shows the name of a variable, and no control character", () => {
  const frame = createCodeFrame(createSource("a", "secret: ${SECRET} \u001b[31m\u202e"), {
    start: 0,
    end: 1,
  });
  expect(frame).toContain("${SECRET}");
  expect(frame.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\u202e/u);
});

function found() {
  const reporter = createReporter();
  reporter.warn(source, { start: 31, end: 32 }, "unreachable", "second", "Do this.");
  reporter.error(source, { start: 0, end: 7 }, "unknown-key", "first: 100%,\nreally\u001b");
  return reporter.diagnostics();
}

test("diagnostics stand in the order of the file", () => {
  expect(found().map(({ line, severity }) => [line, severity])).toEqual([
    [1, "error"],
    [3, "warning"],
  ]);
});

test("as text: place, severity, message, code, frame and hint", () => {
  expect(formatDiagnostics(found().slice(1), "text")).toBe(
    "a.yaml:3:8: warning: second [unreachable]\n" +
      "  2 | listen: here\n> 3 | data: x\n    |        ^\n  4 | limits: {}\nDo this.\n",
  );
  expect(formatDiagnostics(found(), "text")).not.toContain("\u001b");
  expect(formatDiagnostics([], "text")).toBe("");
});

test("as JSON: all fields", () => {
  const parsed: unknown = JSON.parse(formatDiagnostics(found(), "json"));
  expect(parsed).toMatchObject([
    { severity: "error", code: "unknown-key", file: "a.yaml", line: 1, column: 1 },
    { severity: "warning", hint: "Do this." },
  ]);
  expect(JSON.parse(formatDiagnostics([], "json"))).toEqual([]);
});

test("as GitHub annotations: one line each, escaped", () => {
  expect(formatDiagnostics(found(), "github")).toBe(
    "::error file=a.yaml,line=1,col=1,title=afterword unknown-key::first: 100%25,%0Areally \n" +
      "::warning file=a.yaml,line=3,col=8,title=afterword unreachable::second. Do this.\n",
  );
});

test.each([
  ["lisen", "listen"],
  ["lsiten", "listen"],
  ["Listen", "listen"],
  ["trust_proxies", "trust-proxies"],
  ["banana", null],
  ["x", null],
  ["l".repeat(1000), null],
])("the nearest name of %s is %s", (name, expected) => {
  expect(findNearest(name, ["listen", "limits", "trust-proxies"])).toBe(expected);
});
