import type { ChatTrigger } from "../../../api/chat/states.ts";

/**
 * The phase of a chat. The wire knows three words for them: `waiting` while it is invited or
 * queued, `closed`, and `active` for the rest (seed.md 7.4: a chat with no ongoing invitation is
 * not waiting).
 */
export type Phase = (typeof PHASES)[number];

export const PHASES = [
  /** Open, and nobody has been asked yet. */
  "created",
  /** A search has begun and has not come to an invitation yet: a webhook may be choosing. */
  "searching",
  /** One agent is asked and has not answered. */
  "invited",
  /** It has a place in the queue, and nobody is asked. */
  "queued",
  /** A search found nobody, and nobody has tried again. */
  "alone",
  /** An agent answers for it. */
  "held",
  "closed",
] as const;

/** The actors of a change. `system`: the service itself, by time or as a consequence. */
export type Actor = "app" | "creator" | "agent" | "system";

export const ACTS = [
  "assign",
  "enqueue",
  "call",
  "invite",
  "exhaust",
  "requeue",
  "ask",
  "accept",
  "reject",
  "lapse",
  "join",
  "return",
  "leave",
  "stepOut",
  "transfer",
  "toInbox",
  "message",
  "import",
  "read",
  "write",
  "appear",
  "change",
  "close",
  "idle",
  "wait",
] as const;

export type Act = (typeof ACTS)[number];

export type Cell =
  | { readonly to: Phase; readonly sends: readonly ChatTrigger[] }
  | { readonly refused: string };

interface Row {
  readonly by: readonly Actor[];
  readonly cells: Readonly<Record<Phase, Cell>>;
}

const refuse = (refused: string): Cell => ({ refused });
const go = (to: Phase, ...sends: readonly ChatTrigger[]): Cell => ({ to, sends });

const closed = refuse("The chat is closed.");
const held = refuse("An agent holds the chat already.");
const invited = refuse("An agent is invited and has not answered yet.");
const searching = refuse("An agent is being looked for.");
const queued = refuse(
  "The chat has a place in the queue; an agent is invited when it is its turn.",
);
const nobodyInvited = refuse("Nobody is invited to the chat.");
const nobodyHolds = refuse("No agent holds the chat.");
const notSearching = refuse("No agent is being looked for.");
const notQueued = refuse("The chat has no place in the queue.");

const inEveryPhase = (cell: Cell): Readonly<Record<Phase, Cell>> => ({
  created: cell,
  searching: cell,
  invited: cell,
  queued: cell,
  alone: cell,
  held: cell,
  closed: cell,
});
/** Leaves every open chat in the phase it is in. */
const stayIn = (...sends: readonly ChatTrigger[]): Readonly<Record<Phase, Cell>> => ({
  created: go("created", ...sends),
  searching: go("searching", ...sends),
  invited: go("invited", ...sends),
  queued: go("queued", ...sends),
  alone: go("alone", ...sends),
  held: go("held", ...sends),
  closed,
});

/**
 * Every act, who may do it, and what it does to a chat in each phase. The service moves chats by
 * this table, docs/chat.md shows it, and the tests try every cell.
 */
export const MACHINE: Readonly<Record<Act, Row>> = {
  /** Look for an agent. While one is invited it changes nothing: a GET may be repeated. */
  assign: {
    by: ["app"],
    cells: {
      created: go("searching"),
      alone: go("searching"),
      invited: go("invited"),
      searching,
      queued,
      held,
      closed,
    },
  },
  /** A new chat takes its place, in queue mode. */
  enqueue: {
    by: ["system"],
    cells: {
      ...inEveryPhase(refuse("Only a new chat takes a place in the queue.")),
      created: go("queued"),
    },
  },
  /** An agent has a free slot, and it is this chat's turn. */
  call: { by: ["system"], cells: { ...inEveryPhase(notQueued), queued: go("searching") } },
  /** The search chose an agent. */
  invite: {
    by: ["system"],
    cells: {
      ...inEveryPhase(notSearching),
      searching: go("invited", "chats:assign", "invitations:new"),
    },
  },
  /** The search found nobody: this is what ends waiting. */
  exhaust: {
    by: ["system"],
    cells: { ...inEveryPhase(notSearching), searching: go("alone", "forever:alone") },
  },
  /** The search found nobody for a chat that has a place in the queue, which it keeps. */
  requeue: { by: ["system"], cells: { ...inEveryPhase(notSearching), searching: go("queued") } },
  /** Invite an agent by name: to take the chat, or to join one that another holds. */
  ask: {
    by: ["app", "agent"],
    cells: {
      created: go("invited", "invitations:new"),
      queued: go("invited", "invitations:new"),
      alone: go("invited", "invitations:new"),
      held: go("held", "invitations:new"),
      searching,
      invited,
      closed,
    },
  },
  accept: {
    by: ["app", "agent"],
    cells: {
      ...inEveryPhase(nobodyInvited),
      invited: go("held", "invitations:accept", "chats:join"),
      held: go("held", "invitations:accept", "chats:join"),
      closed,
    },
  },
  reject: {
    by: ["app", "agent"],
    cells: {
      ...inEveryPhase(nobodyInvited),
      invited: go("searching", "invitations:reject"),
      held: go("held", "invitations:reject"),
      closed,
    },
  },
  /** The time to answer an invitation is over, or the agent went offline, or it was withdrawn. */
  lapse: {
    by: ["system"],
    cells: {
      ...inEveryPhase(nobodyInvited),
      invited: go("searching", "invitations:reject"),
      held: go("held", "invitations:reject"),
      closed,
    },
  },
  /** An agent takes an open chat without being asked, or joins the one who holds it. */
  join: {
    by: ["app", "agent"],
    cells: {
      created: go("held", "chats:join"),
      searching: go("held", "chats:join"),
      queued: go("held", "chats:join"),
      alone: go("held", "chats:join"),
      held: go("held", "chats:join"),
      invited,
      closed,
    },
  },
  /** Its user comes back. */
  return: { by: ["app", "creator"], cells: stayIn("chats:join") },
  /** The last agent leaves. */
  leave: {
    by: ["app", "agent"],
    cells: { ...inEveryPhase(nobodyHolds), held: go("created", "chats:leave"), closed },
  },
  /** A person leaves and an agent stays, or its user leaves. */
  stepOut: { by: ["app", "creator", "agent"], cells: stayIn("chats:leave") },
  /** Ask another agent to take over; with `accept` the former holder steps out. */
  transfer: {
    by: ["app", "agent"],
    cells: { ...inEveryPhase(nobodyHolds), held: go("held", "invitations:new"), closed },
  },
  /** Take it from its agent, or from the one invited, and look for another. */
  toInbox: {
    by: ["app", "agent"],
    cells: {
      created: go("searching"),
      alone: go("searching"),
      searching,
      queued,
      closed,
      invited: go("searching", "invitations:reject"),
      held: go("searching", "chats:leave"),
    },
  },
  message: { by: ["creator", "agent"], cells: stayIn("messages:new") },
  /** Add earlier messages. */
  import: { by: ["app"], cells: stayIn() },
  /** Its members may still read a closed chat. */
  read: {
    by: ["creator", "agent"],
    cells: { ...stayIn("messages:read"), closed: go("closed", "messages:read") },
  },
  write: { by: ["creator", "agent"], cells: stayIn("users:activity") },
  /** Its user has left the page, or is back. */
  appear: { by: ["creator"], cells: stayIn("users:presence") },
  change: { by: ["app"], cells: stayIn() },
  close: {
    by: ["app", "creator", "agent"],
    cells: {
      ...inEveryPhase(go("closed", "chats:close")),
      closed: refuse("The chat is closed already."),
    },
  },
  /** Nobody has said anything for too long. Searches and invitations end by themselves first. */
  idle: {
    by: ["system"],
    cells: { ...inEveryPhase(go("closed", "chats:close")), searching, invited, closed },
  },
  /** Its user has waited for an answer for too long. Such a chat is told of, and stays open. */
  wait: { by: ["system"], cells: { ...stayIn("chats:unanswered"), searching, invited } },
};

/** `open` is the specification's word for `active`. */
export function statusOf(
  phase: Phase,
  wire: "deployed" | "seed",
): "active" | "open" | "waiting" | "closed" {
  if (phase === "closed") return "closed";
  if (phase === "invited" || phase === "queued") return "waiting";
  return wire === "seed" ? "open" : "active";
}

export function phaseOf(text: string): Phase {
  const phase = PHASES.find((one) => one === text);
  if (phase === undefined) throw new Error(`unreachable: a chat in the phase ${text}`);
  return phase;
}
