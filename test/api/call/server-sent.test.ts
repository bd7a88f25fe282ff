import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ServerSentEvent, readEvents } from "../../../src/api/call/server-sent.ts";
import { runs } from "../../fixtures/runs.ts";

function streamOf(text: string, cuts: readonly number[] = []): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const inside = cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b);
  const ends = [...inside, bytes.length];
  return new ReadableStream({
    start(controller) {
      for (const [index, end] of ends.entries()) {
        controller.enqueue(bytes.slice(ends[index - 1] ?? 0, end));
      }
      controller.close();
    },
  });
}

async function eventsOf(
  text: string,
  cuts?: readonly number[],
): Promise<readonly ServerSentEvent[]> {
  return Array.fromAsync(readEvents(streamOf(text, cuts)));
}

const usual: ServerSentEvent = { event: "message", data: "", id: "", retry: null };

describe("an event stream", () => {
  test.each([
    ["a data line without a space", "data:x\n\n", { data: "x" }],
    ["a data line with two spaces", "data:  x\n\n", { data: " x" }],
    ["several data lines", "data: one\ndata\ndata: two\n\n", { data: "one\n\ntwo" }],
    ["a byte order mark", "\uFEFFdata: x\n\n", { data: "x" }],
    ["a second byte order mark", "\uFEFF\uFEFFdata: x\n\n", {}],
    ["a comment", ": alive\n\n", {}],
    ["a comment among fields", "data: x\n: data: y\n\n", { data: "x" }],
    ["an unknown field", "colour: red\ndata: x\n\n", { data: "x" }],
    ["a value with a colon", 'data: {"a":1}\n\n', { data: '{"a":1}' }],
    ["a named event", "event: read\ndata: x\n\n", { event: "read", data: "x" }],
    ["an event whose name is empty", "event:\ndata: x\n\n", { data: "x" }],
    ["an id alone", "id: 5\n\n", { id: "5" }],
    ["an id with a null", "id: 5\0\n\n", {}],
    ["a retry time", "retry: 2000\n\n", { retry: 2000 }],
    ["a retry time that is not a number", "retry: 2s\n\n", {}],
    ["carriage returns", "id: 5\rdata: x\r\r", { id: "5", data: "x" }],
    ["carriage returns and line feeds", "id: 5\r\ndata: x\r\n\r\n", { id: "5", data: "x" }],
    ["mixed ends of lines", "id: 5\rdata: x\ndata: y\r\n\n", { id: "5", data: "x\ny" }],
  ])("is read with %s", async (_, text, event) => {
    expect(await eventsOf(text)).toEqual([{ ...usual, ...event }]);
  });

  test.each(["data: unfinished", "data: unfinished\n", "id: 5\r", ""])(
    "gives no event for %j, which no blank line ends",
    async (text) => {
      expect(await eventsOf(text)).toEqual([]);
    },
  );

  test("keeps the last id and retry time between events, but not an event's name and data", async () => {
    const text = "retry: 9\nid: 1\nevent: read\ndata: x\n\ndata: y\n\nid:\n\n";
    expect(await eventsOf(text)).toEqual([
      { event: "read", data: "x", id: "1", retry: 9 },
      { event: "message", data: "y", id: "1", retry: 9 },
      { event: "message", data: "", id: "", retry: 9 },
    ]);
  });

  test("is read the same wherever it is cut, even within a letter or a line break", async () => {
    const text =
      '\uFEFFretry: 2000\n\nid: 7\nevent: x\ndata: {"a":"é日"}\r\n\r\n: alive\r\rdata: two\ndata: lines\r\r\n\nid: 9\r\ndata:bare\r\n\r\ndata: unfinished';
    const whole = await eventsOf(text);
    expect(whole.map(({ id, data }) => [id, data])).toEqual([
      ["", ""],
      ["7", '{"a":"é日"}'],
      ["7", ""],
      ["7", "two\nlines"],
      ["7", ""],
      ["9", "bare"],
    ]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 12 }), async (cuts) => {
        expect(await eventsOf(text, cuts)).toEqual(whole);
      }),
      { numRuns: runs(500) },
    );
  });

  test("gives an event as soon as its blank line has come, and reports every part that arrives", async () => {
    let arrived = 0;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const events = readEvents(readable, () => (arrived += 1));
    const first = events.next();
    await writer.write(new TextEncoder().encode("data: x\r"));
    await writer.write(new TextEncoder().encode("\r"));
    expect(await first).toMatchObject({ value: { data: "x" } });
    expect(arrived).toBe(2);
    await events.return();
  });

  test("is cancelled when its reader stops, and ends with the error that interrupted it", async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode("data: x\n\n")),
      cancel: () => void (cancelled = true),
    });
    for await (const { data } of readEvents(body)) {
      expect(data).toBe("x");
      break;
    }
    expect(cancelled).toBe(true);
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.error(new Error("gone")),
    });
    await expect(readEvents(broken).next()).rejects.toThrow("gone");
  });
});
