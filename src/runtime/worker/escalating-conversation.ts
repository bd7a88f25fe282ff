import type { EscalationRows, NewRow } from "../../escalation/stores/rows.ts";
import { waitAtMost } from "../../wait.ts";
import { Conversation } from "./conversation-object.ts";
import type { WorkerBindings } from "./worker.ts";
import type { ObjectState } from "./platform.ts";
import {
  createObjectRows,
  type EscalationStub,
  toEventObject,
  type StoredRow,
  objectsIn,
  openObject,
} from "./object-rows.ts";
import {
  createClaimTable,
  createPointerTable,
  createRecordTable,
  type IndexEntries,
} from "./object-tables.ts";

export interface EscalatingOptions {
  /** How long a record is kept after it was last written, in milliseconds. */
  readonly retention: number;
  /** Does the due work of these rows: retries a ticket, polls a chat. */
  readonly round: (rows: EscalationRows, bindings: ObjectBindings) => Promise<unknown>;
}

/** Durable Object of a conversation's memory and escalation, driven by its alarm. */
export function createEscalatingConversation(options: EscalatingOptions): EscalatingClass {
  return class extends EscalatingConversation {
    constructor(state: ObjectState, bindings: ObjectBindings) {
      super(state, bindings, options);
    }
  };
}

export type EscalatingClass = new (
  state: ObjectState,
  bindings: ObjectBindings,
) => Conversation & EscalationStub;

/**
 * An object has the bindings of the worker, and there is a namespace because the object is in it.
 */
export type ObjectBindings = WorkerBindings &
  Required<Pick<WorkerBindings, "AFTERWORD_CONVERSATIONS">>;

class EscalatingConversation extends Conversation implements EscalationStub {
  readonly #options: EscalatingOptions;
  readonly #bindings: ObjectBindings;
  readonly #stubOf: (name: string) => EscalationStub;
  readonly #record: ReturnType<typeof createRecordTable>;
  readonly #claims: ReturnType<typeof createClaimTable>;
  readonly #pointers: ReturnType<typeof createPointerTable>;
  #indexing: Promise<void> = Promise.resolve();

  constructor(state: ObjectState, bindings: ObjectBindings, options: EscalatingOptions) {
    super(state, bindings);
    this.#options = options;
    this.#bindings = bindings;
    this.#stubOf = objectsIn(bindings.AFTERWORD_CONVERSATIONS);
    this.#record = createRecordTable(state.storage);
    this.#claims = createClaimTable(state.storage);
    this.#pointers = createPointerTable(state.storage);
  }

  override async write(text: string): Promise<void> {
    await super.write(text);
    await this.#schedule();
  }

  record(event: string | null): StoredRow | null {
    const row = this.#record.row();
    if (row === null || (event !== null && row.event !== event)) return null;
    const { key, revision, value, open, updated } = row;
    return { key, revision, value, open, updated };
  }

  async putRecord(row: NewRow, expected: number): Promise<boolean> {
    // Nothing is awaited between reading and writing, so no other call can come in between.
    if ((this.#record.row()?.revision ?? 0) !== expected) return false;
    this.#record.put(row);
    await this.#schedule();
    await this.#indexAndSchedule();
    return true;
  }

  async deleteRecord(): Promise<void> {
    this.#record.delete();
    await this.#schedule();
    await this.#indexAndSchedule();
  }

  async claim(name: string, by: string, lease: number): Promise<boolean> {
    const taken = this.#claims.claim(name, by, lease, Date.now());
    // A record with something beside it has its alarm already.
    if (taken && this.#record.row() === null) await this.#schedule();
    return taken;
  }

  release(name: string, by: string): void {
    this.#claims.release(name, by);
  }

  point(key: string, updated: number): void {
    this.#pointers.point(key, updated);
  }

  async unpoint(key: string): Promise<void> {
    this.#pointers.unpoint(key);
    if (this.#pointers.list(1).length === 0) await this.#schedule();
  }

  pointers(limit: number): readonly string[] {
    return this.#pointers.list(limit);
  }

  /** Called by the runtime, one at a time; again when it throws or the object is lost. */
  override async alarm(): Promise<void> {
    const now = Date.now();
    const before = this.#record.row();
    let earliest = 0;
    if (before?.wake !== undefined && before.wake !== null && before.wake <= now) {
      await this.#attend(before.key);
      // Without any result, it is not tried again at once.
      if (this.#record.row()?.revision === before.revision) earliest = Date.now() + patience;
    }
    this.sweep(now - this.#options.retention);
    await this.#indexInTime();
    await this.#schedule(earliest, true);
  }

  /** Removes a record that was last written before and for which nobody waits. */
  sweep(before: number): boolean {
    const row = this.#record.row();
    if (row === null || row.pending || row.updated >= before) return false;
    this.#record.delete();
    return true;
  }

  async #attend(key: string): Promise<void> {
    const rows: EscalationRows = {
      ...createObjectRows((name) => (name === key ? this : this.#stubOf(name))),
      leaseDue: async (now, limit) => {
        const row = limit < 1 ? null : this.#record.row();
        return row?.wake !== undefined && row.wake !== null && row.wake <= now ? [row] : [];
      },
    };
    // A failed round has already been reported.
    await this.#options.round(rows, this.#bindings).catch(() => undefined);
  }

  async #indexAndSchedule(): Promise<void> {
    if (this.#unindexed() === null) return;
    await this.#indexInTime();
    await this.#schedule();
  }

  /** Updates the index objects. Waits only for a moment, because the alarm does it too. */
  async #indexInTime(): Promise<void> {
    if (this.#unindexed() === null) return;
    this.#indexing = this.#indexing.then(() => this.#index()).catch(() => undefined);
    await waitAtMost(moment, this.#indexing);
  }

  async #index(): Promise<void> {
    const step = this.#unindexed();
    if (step === null) return;
    const { now, target } = step;
    const { key } = target;
    if (target.event !== now.event) {
      if (target.event !== null) await this.#stubOf(toEventObject(target.event)).point(key, 0);
      if (now.event !== null) await this.#stubOf(toEventObject(now.event)).unpoint(key);
    }
    if (target.listed !== now.listed) {
      const list = this.#stubOf(openObject);
      if (target.listed === null) await list.unpoint(key);
      else await list.point(key, target.listed);
    }
    this.#record.setIndexed(target);
    // Another call may have written meanwhile.
    return this.#index();
  }

  /**
   * Compares the entries of the index objects with what they should have; null when that is the
   * same.
   */
  #unindexed(): { readonly now: IndexEntries; readonly target: IndexEntries } | null {
    const now = this.#record.indexed();
    const row = this.#record.row();
    const event = row === null || row.event === "" ? null : row.event;
    const moved = row !== null && Math.abs(row.updated - (now.listed ?? 0)) >= listedWithin;
    const listed = row === null || !row.open ? null : moved ? row.updated : now.listed;
    if (event === now.event && listed === now.listed) return null;
    return { now, target: { key: row?.key ?? now.key, event, listed } };
  }

  /** Sets the alarm to the next due time; within the alarm an empty object is deleted. */
  async #schedule(earliest = 0, within = false): Promise<void> {
    const { storage } = this.ctx;
    const next = this.#next();
    if (next === null && within) {
      await storage.deleteAlarm();
      return storage.deleteAll();
    }
    const time = Math.max(next ?? 0, earliest, Date.now());
    const known = await storage.getAlarm();
    if (known === null || known > time || known + early < time) await storage.setAlarm(time);
  }

  #next(): number | null {
    const now = Date.now();
    const row = this.#record.row();
    const times = [this.forget(now), this.#claims.forget(now)];
    if (this.#unindexed() !== null) times.push(now + reindex);
    if (row?.wake !== undefined) times.push(row.wake);
    if (row?.pending === false) times.push(row.updated + this.#options.retention + 1);
    if (row?.pending === true && row.wake === null) times.push(now + patience);
    // An object stays as long as other objects point to it.
    if (this.#pointers.list(1).length > 0) times.push(now + dormant);
    const known = times.filter((time) => time !== null);
    return known.length === 0 ? null : Math.min(...known);
  }
}

/** Milliseconds. */
const moment = 1000;
const reindex = 5000;
const patience = 15_000;
const dormant = 30 * 86_400_000;
/**
 * An alarm that comes this much too early is not postponed, because that would be a needless write.
 */
const early = 1000;
/** The list of open conversations has each one's last write to within this time. */
const listedWithin = 60_000;
