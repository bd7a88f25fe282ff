import { Refusal } from "../refusal.ts";

/** Milliseconds after which a file that nothing attached is deleted (seed.md 5.3). */
export const MEDIA_LIFETIME = 3_600_000;

/** The error of media that nothing attached in time. */
export function mediaExpired(id: number | string): Refusal {
  return new Refusal(
    410,
    `Media file ${id} was not attached within one hour of its upload and is deleted: upload it again.`,
  );
}
