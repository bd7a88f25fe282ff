import { z } from "zod";
import { toText } from "../bytes.ts";

/** What a code stands for. `log` relates it to the answer that it came with. */
export type TrackingCode =
  | { readonly type: "click" | "rate" | "external"; readonly content: number; readonly log: string }
  | { readonly type: "question"; readonly question: number; readonly log: string }
  | { readonly type: "search"; readonly log: string };

/** A code as it goes out: base64 of JSON, which is nobody's business but ours and no secret. */
export function writeCode(code: TrackingCode): string {
  return btoa(JSON.stringify(code));
}

const log = z.string().regex(/^[\w-]{16}$/);

const shape: z.ZodType<TrackingCode> = z.union([
  z.object({ type: z.enum(["click", "rate", "external"]), content: z.int().min(1), log }),
  z.object({ type: z.literal("question"), question: z.int().min(1), log }),
  z.object({ type: z.literal("search"), log }),
]);

/** Null for what never was a code of this service. */
export function readCode(text: string): TrackingCode | null {
  try {
    return shape.parse(JSON.parse(atob(text.trim())));
  } catch {
    return null;
  }
}

/** The relation of one answer, which nobody else's has. */
export function newLog(random: (length: number) => Uint8Array): string {
  return toText(random(12));
}
