import type { AssignRule } from "../../api/chat/states.ts";

/** An agent as the search sees one. */
export interface Candidate {
  readonly id: string;
  readonly rooms: ReadonlySet<string>;
  /** Empty: every language. */
  readonly languages: readonly string[];
  readonly online: boolean;
  readonly slots: number;
  /** Slots that are taken, pending invitations included. */
  readonly load: number;
  /** Greater for whoever was invited later; about the time, in milliseconds since the epoch. */
  readonly invitedLast: number;
  /** When they left their last chat, or signed in after that, in milliseconds since the epoch. */
  readonly idleSince: number;
}

export interface Wanted {
  readonly room: string;
  /** Empty: any. */
  readonly lang: string;
  /** Agents who are not asked (again). */
  readonly except: ReadonlySet<string>;
  readonly assign: AssignRule;
}

/**
 * Who comes first. Among equals it is whoever was not invited for the longest time: which is all
 * that taking turns means.
 */
const RULES: Readonly<Record<AssignRule, (a: Candidate, b: Candidate) => number>> = {
  "most-free-slots": (a, b) => freeSlots(b) - freeSlots(a),
  "least-busy": (a, b) => a.load - b.load,
  "round-robin": () => 0,
  "longest-idle": (a, b) => Number(a.load > 0) - Number(b.load > 0) || a.idleSince - b.idleSince,
};

/**
 * The agent to invite, by the room's rule: among those who are available there and speak the chat's
 * language. Null: nobody.
 */
export function chooseAgent(candidates: readonly Candidate[], wanted: Wanted): Candidate | null {
  const fitting = candidates.filter((agent) => fits(agent, wanted));
  const [first] = fitting.toSorted(
    (a, b) =>
      RULES[wanted.assign](a, b) ||
      a.invitedLast - b.invitedLast ||
      (a.id < b.id ? -1 : Number(a.id > b.id)),
  );
  return first ?? null;
}

/** True when the agent may be asked to take the chat. */
export function fits(agent: Candidate, { room, lang, except }: Omit<Wanted, "assign">): boolean {
  return (
    agent.online &&
    freeSlots(agent) > 0 &&
    agent.rooms.has(room) &&
    speaks(agent.languages, lang) &&
    !except.has(agent.id)
  );
}

export function freeSlots({ slots, load }: Candidate): number {
  return slots - load;
}

/** `pt-BR` is served by whoever speaks `pt`, and the other way round. */
export function speaks(languages: readonly string[], lang: string): boolean {
  const wanted = baseOf(lang);
  return wanted === "" || languages.length === 0 || languages.some((one) => baseOf(one) === wanted);
}

// Norwegian has three codes for what its readers take for one language (row 18 of the spellings).
function baseOf(lang: string): string {
  const base = lang.toLowerCase().split(/[-_]/)[0] ?? "";
  return base === "nb" || base === "nn" ? "no" : base;
}
