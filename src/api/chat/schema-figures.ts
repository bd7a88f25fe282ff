import { z } from "zod";
import { isTimeZone } from "../../locales/time-zone.ts";
import type { OutputOf } from "../call/fields.ts";

/**
 * Periods in which the chats and tickets of a table began. `quarter` is 90 days, including today.
 */
const FIGURE_PERIODS = ["today", "week", "quarter"] as const;

export type FigurePeriod = (typeof FIGURE_PERIODS)[number];

/** Tables of figures. `waiting`, `waiting-by-…` and `agents` describe the present. */
export const FIGURE_TABLES = [
  "waiting",
  "waiting-by-room",
  "waiting-by-queue",
  "agents",
  "chats",
  "chats-by-room",
  "chats-by-agent",
  "chats-by-hour",
  "chats-by-reason",
  "chats-by-closing",
  "tickets",
  "tickets-by-queue",
  "tickets-by-agent",
  "tickets-by-hour",
  "surveys",
] as const;

export type FigureTable = (typeof FIGURE_TABLES)[number];

export const figuresQuery = z.object({
  period: z
    .enum(FIGURE_PERIODS, { error: `must be among ${FIGURE_PERIODS.join(", ")}` })
    .default("today")
    .meta({ description: "When the chats and tickets began; `quarter` is 90 days" }),
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, {
      error: "must be a time zone's name in the IANA database, such as Europe/Madrid",
    })
    .default("UTC")
    .meta({ description: "The time zone of days and hours, such as `Europe/Madrid`" }),
  format: z
    .enum(["json", "csv"], { error: "must be json or csv" })
    .default("json")
    .describe("The format of the answer"),
});
export type FiguresQuery = Partial<OutputOf<typeof figuresQuery>>;
