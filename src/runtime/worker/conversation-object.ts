import { DurableObject } from "cloudflare:workers";
import { memoryLifetime } from "../../conversation/memory.ts";

/** Stores a conversation's text. An alarm deletes it after {@link memoryLifetime} without access. */
export class Conversation extends DurableObject {
  /** Returns the text, or null if there is none or it has expired. */
  read(): string | null {
    const row = this.#row();
    const now = Date.now();
    if (row === null || row.expires <= now) return null;
    // A write for every read would double the cost of a turn, so reads prolong it once a minute.
    if (now + kept - row.expires >= renewal) {
      this.ctx.storage.sql.exec("UPDATE conversation SET expires = ?", now + kept);
    }
    return row.text;
  }

  async write(text: string): Promise<void> {
    const { storage } = this.ctx;
    const expires = Date.now() + kept;
    // Created only here, so that reads of unknown conversations store nothing.
    storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS conversation (id INTEGER PRIMARY KEY, text TEXT NOT NULL, expires INTEGER NOT NULL)",
    );
    storage.sql.exec("INSERT OR REPLACE INTO conversation VALUES (1, ?, ?)", text, expires);
    // The alarm is set once and not for every turn; it sets itself again if it is early.
    if ((await storage.getAlarm()) === null) await storage.setAlarm(expires);
  }

  /** Called by the runtime, which repeats it with growing pauses if it throws. */
  async alarm(): Promise<void> {
    const { storage } = this.ctx;
    const row = this.#row();
    if (row !== null && row.expires > Date.now()) return storage.setAlarm(row.expires);
    await storage.deleteAlarm();
    await storage.deleteAll();
  }

  /** Deletes an expired text. Returns the time of expiry (milliseconds since the epoch), or null. */
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

/** How much of its lifetime must have passed before a read prolongs it, in milliseconds. */
const renewal = 60_000;

/** Includes {@link renewal}, so that the lifetime is complete after reads that do not prolong it. */
const kept: number = memoryLifetime + renewal;
