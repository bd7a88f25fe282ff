import { DurableObject } from "cloudflare:workers";
import { memoryLifetime } from "../../conversation/memory.ts";

/** A conversation's text and expiry; an alarm deletes it after a silent {@link memoryLifetime}. */
export class Conversation extends DurableObject {
  /** The text, or null when there is none or its time is over. */
  read(): string | null {
    const row = this.#row();
    const now = Date.now();
    if (row === null || row.expires <= now) return null;
    // A write for every read would double what a turn costs: within a minute the first one counts.
    if (now + kept - row.expires >= renewal) {
      this.ctx.storage.sql.exec("UPDATE conversation SET expires = ?", now + kept);
    }
    return row.text;
  }

  async write(text: string): Promise<void> {
    const { storage } = this.ctx;
    const expires = Date.now() + kept;
    // Not before: who asks for a conversation that never began must leave nothing behind.
    storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS conversation (id INTEGER PRIMARY KEY, text TEXT NOT NULL, expires INTEGER NOT NULL)",
    );
    storage.sql.exec("INSERT OR REPLACE INTO conversation VALUES (1, ?, ?)", text, expires);
    // One alarm per silence, not per turn: it looks for itself whether it comes too early.
    if ((await storage.getAlarm()) === null) await storage.setAlarm(expires);
  }

  /** Called by the runtime; again, with growing pauses, when it throws. */
  async alarm(): Promise<void> {
    const { storage } = this.ctx;
    const row = this.#row();
    if (row !== null && row.expires > Date.now()) return storage.setAlarm(row.expires);
    await storage.deleteAlarm();
    await storage.deleteAll();
  }

  /** Forgets it when due. Returns when it is due (milliseconds since the epoch), null if gone. */
  protected forget(now: number): number | null {
    const row = this.#row();
    if (row === null) return null;
    if (row.expires > now) return row.expires;
    this.ctx.storage.sql.exec("DELETE FROM conversation");
    return null;
  }

  #row(): { readonly text: string; readonly expires: number } | null {
    const { sql } = this.ctx.storage;
    const [table] = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'conversation'");
    if (table === undefined) return null;
    for (const { text, expires } of sql.exec("SELECT text, expires FROM conversation")) {
      if (typeof text === "string" && typeof expires === "number") return { text, expires };
    }
    return null;
  }
}

/** How much of its time must be over before a read prolongs it, in milliseconds. */
const renewal = 60_000;

/** Includes {@link renewal}, so that reads that do not prolong also leave their half hour. */
const kept: number = memoryLifetime + renewal;
