import { z } from "zod";
import type { OutputOf } from "../call/fields.ts";
import { agent } from "./answers.ts";
import { FIGURE_TABLES, type FigureTable } from "./schema-figures.ts";

/** Shapes of figures. Moments are Unix seconds, durations whole seconds. */

const seconds = z.int().min(0);
const count = z.int().min(0);

/** A person who waits for the team. */
const waiting = z.object({
  /** The id of the chat; the number of a ticket. */
  id: z.string(),
  /** The person's name; empty if it is not known. */
  name: z.string(),
  /** `first`: nobody has answered the chat yet. `reply`: the user spoke last. `ticket`: it is new. */
  kind: z.enum(["first", "reply", "ticket"]),
  /** Name of the room, or of a ticket's queue. */
  room: z.string(),
  /** Name of the agent who holds the chat, or empty. */
  agent: z.string(),
  since: seconds,
});
export type WaitingPerson = OutputOf<typeof waiting>;

/** A group of waiting people in a room, or in a queue of tickets. */
const waitingGroup = z.object({
  id: z.string(),
  name: z.string(),
  /** Chats without an answer; new tickets. */
  first: count,
  /** Chats in which the user spoke last; 0 for tickets. */
  reply: count,
  /** When the one who has waited longest began to wait; null if nobody waits. */
  since: seconds.nullable(),
});
export type WaitingGroup = OutputOf<typeof waitingGroup>;

const agentLoad = agent.pick({ id: true, name: true, status: true, load: true, slots: true });
export type AgentLoad = OutputOf<typeof agentLoad>;

/** Chats or tickets that have something in common. */
const group = z.object({
  /**
   * The id of the room, queue or agent; the hour (`0` to `23`); the reason. Empty for none, or for
   * all.
   */
  id: z.string(),
  /** The name to show; empty if the id is the only name. */
  name: z.string(),
  count,
  answered: count,
  /** Chats that were answered and are closed; tickets that are solved. */
  solved: count,
  /** Chats that were closed before anybody answered; 0 for tickets. */
  lost: count,
  /** Seconds to the first answer: the median, and the 90th percentile. */
  firstMedian: seconds.nullable(),
  firstNinetieth: seconds.nullable(),
  /** Seconds until the chat was closed, or the ticket solved: median and 90th percentile. */
  solvingMedian: seconds.nullable(),
  solvingNinetieth: seconds.nullable(),
});
export type FigureGroup = OutputOf<typeof group>;

/** A question of a survey that is answered by a number from 0 to 10. */
const surveyQuestion = z.object({
  /** The survey and the question, such as `1.3`. */
  id: z.string(),
  /** The survey's name. */
  name: z.string(),
  /** The question's text, or its number if the survey does not have the text. */
  question: z.string(),
  answers: count,
  average: z.number(),
  /** The smallest and the largest answer. */
  least: count,
  most: count,
});
export type SurveyQuestion = OutputOf<typeof surveyQuestion>;

const ROWS = {
  waiting,
  "waiting-by-room": waitingGroup,
  "waiting-by-queue": waitingGroup,
  agents: agentLoad,
  chats: group,
  "chats-by-room": group,
  "chats-by-agent": group,
  "chats-by-hour": group,
  "chats-by-reason": group,
  "chats-by-closing": group,
  tickets: group,
  "tickets-by-queue": group,
  "tickets-by-agent": group,
  "tickets-by-hour": group,
  surveys: surveyQuestion,
} satisfies Readonly<Record<FigureTable, z.ZodObject>>;

/** The rows of each table. */
export type FigureRows = { readonly [table in FigureTable]: OutputOf<(typeof ROWS)[table]> };

/** Lists the names of a table's columns, in their order. */
export function columnsOf(table: FigureTable): readonly string[] {
  return Object.keys(ROWS[table].shape);
}

export const figures = z.object({
  table: z.enum(FIGURE_TABLES),
  /** The period. It counts chats and tickets that began at `from` or later, and before `to`. */
  from: seconds,
  to: seconds,
  timeZone: z.string(),
  rows: z.array(z.union([waiting, waitingGroup, agentLoad, group, surveyQuestion])),
});

/** One table. */
export interface Figures<Table extends FigureTable = FigureTable> extends Omit<
  OutputOf<typeof figures>,
  "table" | "rows"
> {
  readonly table: Table;
  readonly rows: readonly FigureRows[Table][];
}
