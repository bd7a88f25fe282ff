import type { ChatTrigger } from "../../../api/chat/states.ts";

/**
 * The phase of a chat. Answers have three words for it: `waiting` while an agent is invited or the
 * chat is queued, `closed`, and `active` for the rest (seed.md 7.4: a chat with no ongoing
 * invitation is not waiting).
 */
export type Phase = (typeof PHASES)[number];

export const PHASES = [
  /** Open; no agent has been invited. */
  "created",
  /**
   * A search has begun and has not led to an invitation yet; a webhook may be choosing the agent.
   */
  "searching",
  /** An agent is invited and has not answered. */
  "invited",
  /** It waits in the queue, and nobody is invited. */
  "queued",
  /** A search found nobody, and no other search has begun. */
  "alone",
  /** An agent holds it. */
  "held",
  "closed",
] as const;

/** The actors of a change. `system`: the service itself, by time or as a consequence. */
export type Actor = "app" | "creator" | "agent" | "system";

export type Cell =
  | { readonly to: Phase; readonly sends: readonly ChatTrigger[] }
  | { readonly refused: string };

interface Row {
  readonly by: readonly Actor[];
  readonly cells: Readonly<Record<Phase, Cell>>;
}

const refuse = (refused: string): Cell => ({ refused });
const moveTo = (to: Phase, ...sends: readonly ChatTrigger[]): Cell => ({ to, sends });

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
  created: moveTo("created", ...sends),
  searching: moveTo("searching", ...sends),
  invited: moveTo("invited", ...sends),
  queued: moveTo("queued", ...sends),
  alone: moveTo("alone", ...sends),
  held: moveTo("held", ...sends),
  closed,
});

/** The search for an agent goes on; an agent who holds the chat keeps it. */
const refusedInvitation: Readonly<Record<Phase, Cell>> = {
  ...inEveryPhase(nobodyInvited),
  invited: moveTo("searching", "invitations:reject"),
  held: moveTo("held", "invitations:reject"),
  closed,
};

/**
 * All acts with their permitted actors and their effect in each phase. The service moves chats by
 * this table, docs/chat.md shows it, and the tests cover every cell.
 */
export const MACHINE = {
  /** Look for an agent. While one is invited it changes nothing: a GET may be repeated. */
  assign: {
    by: ["app"],
    cells: {
      created: moveTo("searching"),
      alone: moveTo("searching"),
      invited: moveTo("invited"),
      searching,
      queued,
      held,
      closed,
    },
  },
  /** Queue a new chat, in queue mode. */
  enqueue: {
    by: ["system"],
    cells: {
      ...inEveryPhase(refuse("Only a new chat takes a place in the queue.")),
      created: moveTo("queued"),
    },
  },
  /** An agent has a free slot, and it is this chat's turn. */
  call: { by: ["system"], cells: { ...inEveryPhase(notQueued), queued: moveTo("searching") } },
  /** The search chose an agent. */
  invite: {
    by: ["system"],
    cells: {
      ...inEveryPhase(notSearching),
      searching: moveTo("invited", "chats:assign", "invitations:new"),
    },
  },
  /** The search found nobody, which ends the user's waiting. */
  exhaust: {
    by: ["system"],
    cells: { ...inEveryPhase(notSearching), searching: moveTo("alone", "forever:alone") },
  },
  /** The search found nobody for a queued chat, which keeps its position. */
  requeue: {
    by: ["system"],
    cells: { ...inEveryPhase(notSearching), searching: moveTo("queued") },
  },
  /** Invite an agent by name: to take the chat, or to join one that another holds. */
  ask: {
    by: ["app", "agent"],
    cells: {
      created: moveTo("invited", "invitations:new"),
      queued: moveTo("invited", "invitations:new"),
      alone: moveTo("invited", "invitations:new"),
      held: moveTo("held", "invitations:new"),
      searching,
      invited,
      closed,
    },
  },
  accept: {
    by: ["app", "agent"],
    cells: {
      ...inEveryPhase(nobodyInvited),
      invited: moveTo("held", "invitations:accept", "chats:join"),
      held: moveTo("held", "invitations:accept", "chats:join"),
      closed,
    },
  },
  reject: { by: ["app", "agent"], cells: refusedInvitation },
  /** The time to answer an invitation is over, or the agent went offline, or it was withdrawn. */
  lapse: { by: ["system"], cells: refusedInvitation },
  /** An agent takes an open chat without being asked, or joins the one who holds it. */
  join: {
    by: ["app", "agent"],
    cells: {
      created: moveTo("held", "chats:join"),
      searching: moveTo("held", "chats:join"),
      queued: moveTo("held", "chats:join"),
      alone: moveTo("held", "chats:join"),
      held: moveTo("held", "chats:join"),
      invited,
      closed,
    },
  },
  /** Its user comes back. */
  return: { by: ["app", "creator"], cells: stayIn("chats:join") },
  /** The last agent leaves. */
  leave: {
    by: ["app", "agent"],
    cells: { ...inEveryPhase(nobodyHolds), held: moveTo("created", "chats:leave"), closed },
  },
  /** A person leaves and an agent stays, or its user leaves. */
  stepOut: { by: ["app", "creator", "agent"], cells: stayIn("chats:leave") },
  /** Ask another agent to take over; with `accept` the former holder steps out. */
  transfer: {
    by: ["app", "agent"],
    cells: { ...inEveryPhase(nobodyHolds), held: moveTo("held", "invitations:new"), closed },
  },
  /** Take it from its agent, or from the one invited, and look for another. */
  toInbox: {
    by: ["app", "agent"],
    cells: {
      created: moveTo("searching"),
      alone: moveTo("searching"),
      searching,
      queued,
      closed,
      invited: moveTo("searching", "invitations:reject"),
      held: moveTo("searching", "chats:leave"),
    },
  },
  message: { by: ["creator", "agent"], cells: stayIn("messages:new") },
  /** Add earlier messages. */
  import: { by: ["app"], cells: stayIn() },
  /** Its members may still read a closed chat. */
  read: {
    by: ["creator", "agent"],
    cells: { ...stayIn("messages:read"), closed: moveTo("closed", "messages:read") },
  },
  write: { by: ["creator", "agent"], cells: stayIn("users:activity") },
  /** Its user has left the page, or is back. */
  appear: { by: ["creator"], cells: stayIn("users:presence") },
  change: { by: ["app"], cells: stayIn() },
  close: {
    by: ["app", "creator", "agent"],
    cells: {
      ...inEveryPhase(moveTo("closed", "chats:close")),
      invited: moveTo("closed", "invitations:reject", "chats:close"),
      closed: refuse("The chat is closed already."),
    },
  },
  /** Nobody has written for too long. Searches and invitations end by themselves before that. */
  idle: {
    by: ["system"],
    cells: { ...inEveryPhase(moveTo("closed", "chats:close")), searching, invited, closed },
  },
  /** Its user has waited for an answer for too long. This sends an event; the chat stays open. */
  wait: { by: ["system"], cells: { ...stayIn("chats:unanswered"), searching, invited } },
} satisfies Readonly<Record<string, Row>>;

export type Act = keyof typeof MACHINE;

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
