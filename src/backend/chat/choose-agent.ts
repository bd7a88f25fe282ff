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
  /** When they were invited last, in milliseconds since the epoch. */
  readonly invitedLast: number;
}

export interface Wanted {
  readonly room: string;
  /** Empty: any. */
  readonly lang: string;
  /** Agents who are not asked (again). */
  readonly except: ReadonlySet<string>;
}

/**
 * The agent to invite: among those available in the room the one with the most free slots (seed.md 7.2), and who speaks the
 * chat's language; among equals the one who was not asked for the longest time. Null: nobody.
 */
export function chooseAgent(candidates: readonly Candidate[], wanted: Wanted): Candidate | null {
  const fitting = candidates.filter((agent) => fits(agent, wanted));
  const [first] = fitting.toSorted(
    (a, b) =>
      freeSlots(b) - freeSlots(a) ||
      a.invitedLast - b.invitedLast ||
      (a.id < b.id ? -1 : Number(a.id > b.id)),
  );
  return first ?? null;
}

/** True when the agent may be asked to take the chat. */
export function fits(agent: Candidate, { room, lang, except }: Wanted): boolean {
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
