// Suite: long
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type Act,
  MACHINE,
  type Phase,
  PHASES,
  statusOf,
} from "../../../src/backend/chat/chats/machine.ts";
import { findPackageRoot } from "../../../src/config/load/package-root.ts";
import { ASKING, bySystem, phaseOf, reach } from "./phases.ts";
import { service } from "./service.ts";

const ACTS = Object.keys(MACHINE).filter((act): act is Act => Object.hasOwn(MACHINE, act));

/** The outcome of a request: the next phase and the events, or the status of the refusal. */
type Outcome = readonly [Phase, ...string[]] | 403 | 409;

const search = ["chats:assign", "invitations:new"] as const;

/**
 * The requests and their outcomes in each phase, with one free agent unless the phase excludes
 * that.
 */
const ASKED: Readonly<Partial<Record<Act, Readonly<Record<Phase, Outcome>>>>> = {
  assign: {
    created: ["invited", ...search],
    searching: 409,
    invited: ["invited"],
    queued: 409,
    alone: ["alone", "forever:alone"],
    held: 409,
    closed: 409,
  },
  ask: {
    created: ["invited", "invitations:new"],
    searching: 409,
    invited: 409,
    queued: ["invited", "invitations:new"],
    alone: ["invited", "invitations:new"],
    held: ["held", "invitations:new"],
    closed: 409,
  },
  accept: {
    created: 409,
    searching: 409,
    invited: ["held", "invitations:accept", "chats:join"],
    queued: 409,
    alone: 409,
    held: 409,
    closed: 409,
  },
  reject: {
    created: 409,
    searching: 409,
    invited: ["alone", "invitations:reject", "forever:alone"],
    queued: 409,
    alone: 409,
    held: 409,
    closed: 409,
  },
  join: {
    created: ["held", "chats:join"],
    searching: ["held", "chats:join"],
    invited: 409,
    queued: ["held", "chats:join"],
    alone: ["held", "chats:join"],
    held: ["held", "chats:join"],
    closed: 409,
  },
  return: staying("chats:join"),
  leave: {
    created: 403,
    searching: 403,
    invited: 403,
    queued: 403,
    alone: 403,
    held: ["created", "chats:leave"],
    closed: 409,
  },
  stepOut: staying("chats:leave"),
  transfer: {
    created: 409,
    searching: 409,
    invited: 409,
    queued: 409,
    alone: 409,
    held: ["held", "invitations:new"],
    closed: 409,
  },
  toInbox: {
    created: ["invited", ...search],
    searching: 409,
    invited: ["alone", "invitations:reject", "forever:alone"],
    queued: 409,
    alone: ["alone", "forever:alone"],
    held: ["alone", "chats:leave", "forever:alone"],
    closed: 409,
  },
  message: staying("messages:new"),
  import: staying("messages:new"),
  read: { ...staying("messages:read"), closed: ["closed", "messages:read"] },
  write: staying(),
  appear: staying("users:presence"),
  change: staying(),
  close: {
    created: ["closed", "chats:close"],
    searching: ["closed", "chats:close"],
    invited: ["closed", "invitations:reject", "chats:close"],
    queued: ["closed", "chats:close"],
    alone: ["closed", "chats:close"],
    held: ["closed", "chats:close"],
    closed: 409,
  },
};

/** The acts of the service itself: the phases that permit them, and their outcomes. */
const SYSTEM: Readonly<
  Partial<Record<Act, Readonly<Partial<Record<Phase, readonly [Phase, ...string[]]>>>>>
> = {
  enqueue: { created: ["queued"] },
  call: { queued: ["searching"] },
  invite: { searching: ["invited", ...search] },
  exhaust: { searching: ["alone", "forever:alone"] },
  requeue: { searching: ["queued"] },
  lapse: { invited: ["searching", "invitations:reject"], held: ["held", "invitations:reject"] },
  idle: {
    created: ["closed", "chats:close"],
    queued: ["closed", "chats:close"],
    alone: ["closed", "chats:close"],
    held: ["closed", "chats:close"],
  },
  wait: {
    created: ["created", "chats:unanswered"],
    queued: ["queued", "chats:unanswered"],
    alone: ["alone", "chats:unanswered"],
    held: ["held", "chats:unanswered"],
  },
};

function staying(...events: readonly string[]): Readonly<Record<Phase, Outcome>> {
  return {
    created: ["created", ...events],
    searching: ["searching", ...events],
    invited: ["invited", ...events],
    queued: ["queued", ...events],
    alone: ["alone", ...events],
    held: ["held", ...events],
    closed: 409,
  };
}

test("the tables have every action of the state machine once", () => {
  expect([...Object.keys(ASKED), ...Object.keys(SYSTEM)].toSorted()).toEqual([...ACTS].toSorted());
  expect(Object.keys(ASKED).toSorted()).toEqual(Object.keys(ASKING).toSorted());
  for (const act of Object.keys(SYSTEM)) {
    expect(MACHINE[ACTS.find((one) => one === act) ?? "assign"].by).toEqual(["system"]);
  }
});

const asked = ACTS.flatMap((act) =>
  PHASES.flatMap((phase) => {
    const outcome = ASKED[act]?.[phase];
    return outcome === undefined ? [] : [{ act, phase, outcome }];
  }),
);

describe("requested actions", () => {
  test.each(asked)("$act of a chat that is $phase: $outcome", async ({ act, phase, outcome }) => {
    const scene = await reach(await service(null), phase);
    const { chat } = scene;
    const { eventsOf, ask } = scene.service;
    if (act === "return" && phase !== "closed") await ASKING.stepOut?.(scene);
    const before = (await eventsOf(chat)).length;
    const answer = await ASKING[act]?.(scene);
    const after = [await phaseOf(scene.service, chat), ...(await eventsOf(chat)).slice(before)];
    const { body } = await ask("GET", `chats/${chat}`);
    await scene.release();
    if (typeof outcome === "number") {
      expect([answer?.status, ...after]).toEqual([outcome, phase]);
      expect(answer?.body.error.message).toMatch(/\w{3}/);
      return;
    }
    expect([answer?.status, ...after]).toEqual([200, ...outcome]);
    expect(body.chat.status).toBe(statusOf(outcome[0], "deployed"));
  });
});

const own = ACTS.flatMap((act) => {
  const row = SYSTEM[act];
  return row === undefined
    ? []
    : PHASES.map((phase) => ({ act, phase, outcome: row[phase] ?? "no" }));
});

describe("actions of the service itself", () => {
  test.each(own)("$act of a chat that is $phase: $outcome", async ({ act, phase, outcome }) => {
    const scene = await reach(await service(null), phase);
    const { chat, service: made } = scene;
    const before = (await made.eventsOf(chat)).length;
    const after = bySystem(scene, act);
    if (outcome === "no") {
      await expect(after).rejects.toMatchObject({ status: 409 });
      expect(await phaseOf(made, chat)).toBe(phase);
      expect((await made.eventsOf(chat)).slice(before)).toEqual([]);
    } else {
      expect([
        await after,
        ...(await made.eventsOf(chat)).slice(before, before + outcome.length - 1),
      ]).toEqual(outcome);
    }
    await scene.release();
  });
});

test("only an invitation or a place in the queue is waiting, and the specification's word for active is open", () => {
  const words = (wire: "deployed" | "seed"): object =>
    Object.fromEntries(PHASES.map((phase) => [phase, statusOf(phase, wire)]));
  expect(words("deployed")).toEqual({
    created: "active",
    searching: "active",
    invited: "waiting",
    queued: "waiting",
    alone: "active",
    held: "active",
    closed: "closed",
  });
  expect(words("seed")).toMatchObject({ created: "open", held: "open", invited: "waiting" });
});

test("docs/chat.md shows the state machine as it is", async () => {
  const document = await readFile(join(findPackageRoot(), "docs", "chat.md"), "utf8");
  const rows = document.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  const stay: string[] = [];
  for (const act of ACTS) {
    const { by, cells } = MACHINE[act];
    const taken = PHASES.flatMap((phase) => {
      const cell = cells[phase];
      return "refused" in cell ? [] : [{ phase, ...cell }];
    });
    // Acts of a search, of the queue or of time are described in sentences.
    if (by.every((who) => who === "system")) continue;
    if (taken.every(({ phase, to }) => phase === to)) {
      stay.push(`${act}: ${fromOf(taken)}`);
      continue;
    }
    const row = rows.find(([, name, who]) => name === act && who === by.join(", "));
    const ways = Map.groupBy(taken, ({ phase, to }) => (to === phase ? "stays" : `→ ${to}`));
    const shown = [...ways].map(([way, from]) => `${fromOf(from)} ${way}`).join("; ");
    expect([act, row?.[3]]).toEqual([act, shown]);
    const events = [...(row?.[4] ?? "").matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    const sends = new Set(taken.flatMap((cell) => cell.sends));
    expect([act, events.toSorted()]).toEqual([act, [...sends].toSorted()]);
  }
  // A sentence below the table names the others.
  const [, open = "", held = "", always = ""] =
    /^(`.*`) work while a chat is open, (`.*`) while it is held, (`.*`) always\./mu.exec(
      document,
    ) ?? [];
  const named = [open, held, always].map((list) => [...list.matchAll(/`(\w+)`/g)]);
  const where = ["open", "held", "all"];
  const listedActs = named.flatMap((acts, at) => acts.map(([, act]) => `${act}: ${where[at]}`));
  expect(listedActs.toSorted()).toEqual(stay.toSorted());
});

function fromOf(taken: readonly { readonly phase: Phase }[]): string {
  if (taken.length === PHASES.length) return "all";
  const phases = taken.map(({ phase }) => phase);
  return phases.length === 6 && !phases.includes("closed") ? "open" : phases.join(", ");
}
