import { describe, expect, it } from "vitest";
import type { Trace, TraceStep } from "../../../src/direct-answers/types.ts";
import { createRecent } from "../../../src/gateway/exchange/accounting.ts";
import type { Recent } from "../../../src/gateway/exchange/accounting.ts";

describe("the latest exchanges", () => {
  it("are the last two hundred, the newest first", () => {
    const recent = createRecent(() => 7);
    for (let status = 200; status < 450; status++) note(recent, status, "status");
    const statuses = recent.read().map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: 200 }, (_, i) => 449 - i));
  });

  it("of one second are two hundred at most, and whatever failed", () => {
    let now = 7;
    const recent = createRecent(() => now);
    for (let i = 0; i < 250; i++) note(recent, 200, i < 200 ? "bytes" : "size");
    note(recent, 502, null);
    const [failed, ...others] = recent.read();
    expect(failed?.status).toBe(502);
    expect(others).toHaveLength(199);
    expect(others.every(({ decided }) => decided === "bytes")).toBe(true);
    now += 1000;
    note(recent, 200, "size");
    expect(recent.read()[0]?.decided).toBe("size");
  });

  it("show what was decided about each, whatever stood in its place before", () => {
    let now = 7;
    const recent = createRecent(() => now);
    for (let i = 0; i < 200; i++) note(recent, 200, traceOf(message, list, title));
    now += 1000;
    note(recent, 200, traceOf(title));
    note(recent, 200, "bytes");
    note(recent, 404, null);
    const [refused, closed, short, long] = recent.read();
    expect(refused?.decided).toBeNull();
    expect(closed?.decided).toBe("bytes");
    expect(short?.decided).toEqual(traceOf(title));
    expect(long?.decided).toEqual(traceOf(message, list, title));
  });

  it("stay as they were read when more come", () => {
    const recent = createRecent(() => 7);
    note(recent, 200, traceOf(message));
    const read = recent.read();
    for (let i = 0; i < 200; i++) note(recent, 500, traceOf(title));
    expect(read).toMatchObject([{ status: 200, decided: traceOf(message) }]);
  });

  it("hold no text of an answer that a client asked a trace of", () => {
    const recent = createRecent(() => 7);
    note(recent, 200, traceOf({ ...message, before: '"the engine"', after: '"the owner"' }));
    expect(JSON.stringify(recent.read())).not.toMatch(/the engine|the owner/);
  });
});

const source = { locale: "en", origin: "own", rule: "no-results" } as const;
const message: TraceStep = {
  at: "/answers/0/message",
  flag: "no-results",
  reason: "rewritten",
  unexpected: true,
  source,
};
const list: TraceStep = { ...message, at: "/answers/0/messageList", twin: true };
const title: TraceStep = {
  at: "/answers/0/parameters/contents/related/relatedTitle",
  flag: null,
  reason: "no-text",
};

function traceOf(...steps: TraceStep[]): Trace {
  const localeReason = "conversation exact";
  return { gate: null, locale: "en", localeReason, instance: "shop", channel: "", steps };
}

function note(recent: Recent, status: number, decided: Parameters<Recent["note"]>[4]): void {
  const request = { exchange: { method: "POST" }, instance: null, started: 3.5 };
  recent.note(request, "message", status, 1.5, decided);
}
