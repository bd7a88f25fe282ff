import type { z } from "zod";
import type { availabilityQuery } from "../../api/chat/schema.ts";
import { storable } from "../storage/storable.ts";
import type { Asked } from "./asked.ts";
import { readCandidates } from "./candidates.ts";
import { freeSlots, speaks } from "./choose-agent.ts";
import type { Candidate } from "./choose-agent.ts";
import { listRooms } from "./rooms.ts";

type Question = z.infer<typeof availabilityQuery>;

/**
 * How many agents are online with a free slot, by room: of the rooms that were named, or of all. An
 * object, also when empty.
 */
export async function countAvailable(
  asked: Asked,
  { roomIds, langs = [] }: Question,
): Promise<Readonly<Record<string, number>>> {
  const { kysely } = asked.options.database;
  const rooms = roomIds ?? (await listRooms(kysely, asked.app)).map(({ id }) => id);
  const free = (await readCandidates(kysely, asked.app)).filter((agent) => freeSlots(agent) > 0);
  return Object.fromEntries(
    rooms.map((room) => [room, free.filter((agent) => serves(agent, room, langs)).length]),
  );
}

/** True when anybody is online in one of the rooms, or in any where none is named. */
export async function isAnybodyOnline(
  asked: Asked,
  { roomIds, langs = [] }: Question,
): Promise<boolean> {
  const candidates = await readCandidates(asked.options.database.kysely, asked.app);
  return candidates.some((agent) =>
    roomIds === undefined
      ? speaksAny(agent, langs)
      : roomIds.some((room) => serves(agent, room, langs)),
  );
}

function serves(agent: Candidate, room: string, langs: readonly string[]): boolean {
  return agent.rooms.has(storable(room)) && speaksAny(agent, langs);
}

function speaksAny({ languages }: Candidate, langs: readonly string[]): boolean {
  return langs.length === 0 || langs.some((lang) => speaks(languages, lang));
}
