import { chatOf, type EscalationRecord } from "../../escalation/stores/record.ts";
import type { Records } from "../../escalation/records/records.ts";
import { Superseded } from "../../escalation/records/scope.ts";
import type { EscalationStore } from "../../escalation/stores/store.ts";
import type { Core } from "../core.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { EventStream } from "./event-stream.ts";

export interface ListenedParts {
  readonly core: Core;
  readonly records: Records;
  readonly store: Pick<EscalationStore, "get">;
  readonly advance: (record: EscalationRecord) => Promise<EscalationRecord>;
  /** Milliseconds between two checks while a person has the conversation. */
  readonly every: number;
  /**
   * True on runtimes where no request may write to the answer of another, and each has limited work:
   * the conversation then has one stream, which ends after a number of checks.
   */
  readonly perRequest: boolean;
}

/**
 * A conversation with open streams in this process. It checks the store, shows every new record to
 * the streams, and saves which messages they delivered. However many streams there are, one check
 * and one save are under way at a time.
 */
export class ListenedConversation {
  readonly #parts: ListenedParts;
  /** The oldest first, each with the function to call when it has ended. */
  readonly #streams = new Map<EventStream, () => void>();
  #latest: EscalationRecord;
  /** Id of the last message that any stream has delivered. */
  #sent = 0;
  #isSaving = false;
  #checks = 0;
  #timer: ReturnType<typeof setTimeout>;
  readonly #unsubscribe: () => void;

  constructor(parts: ListenedParts, record: EscalationRecord) {
    this.#parts = parts;
    this.#latest = record;
    this.#unsubscribe = parts.perRequest
      ? () => undefined
      : parts.records.subscribe(record.key, (now) => this.#show(now));
    this.#timer = setTimeout(() => void this.#check(), 0);
  }

  get hasStreams(): boolean {
    return this.#streams.size > 0;
  }

  /**
   * Opens a stream on this exchange. Where there are too many, the oldest ends.
   *
   * @param record as it is stored now
   * @param ended called once when the stream has ended; `isGone` when its client went away
   */
  open(exchange: Exchange, record: EscalationRecord, ended: (isGone: boolean) => void): void {
    const drain = (): void => this.#show(this.#latest);
    const stream = new EventStream(this.#parts.core, exchange, record, drain);
    this.#streams.set(stream, () => ended(false));
    exchange.reply.onGone(() => this.#end(stream, () => ended(true)));
    for (const [oldest, oldestEnded] of this.#streams) {
      if (this.#streams.size <= maxStreams) break;
      this.#end(oldest, oldestEnded, displacedRetry);
    }
    if (record.revision > this.#latest.revision) this.#latest = record;
    stream.show(record);
    this.#saveDelivered(stream.sent);
  }

  /** Ends all streams. */
  end(): void {
    for (const [stream, ended] of this.#streams) this.#end(stream, ended);
  }

  #end(stream: EventStream, ended: () => void, retry?: number): void {
    if (!this.#streams.delete(stream)) return;
    stream.end(retry);
    if (!this.hasStreams) {
      clearTimeout(this.#timer);
      this.#unsubscribe();
    }
    ended();
  }

  /** Checks the conversation now, and again later: less often while the bot has it. */
  async #check(): Promise<void> {
    const { every, perRequest } = this.#parts;
    const wasBusy = await this.#advance().catch(() => false);
    this.#checks++;
    if (perRequest && this.#checks >= maxChecks) this.end();
    if (!this.hasStreams) return;
    this.#timer = setTimeout(() => void this.#check(), wasBusy ? every : every * idleFactor);
  }

  async #advance(): Promise<boolean> {
    const { records, store, advance, perRequest } = this.#parts;
    const stored = await store.get(this.#latest.key);
    if (stored === null) return false;
    const now = isBusy(stored) ? await advance(stored) : stored;
    if (perRequest) this.#show(now);
    else records.publish(now);
    return isBusy(now);
  }

  #show(record: EscalationRecord): void {
    this.#latest = record;
    for (const stream of this.#streams.keys()) {
      stream.show(record);
      this.#sent = Math.max(this.#sent, stream.sent);
    }
    this.#saveDelivered(this.#sent);
  }

  /** Saves which messages the streams have delivered, so that the next turn does not repeat them. */
  #saveDelivered(sent: number): void {
    this.#sent = Math.max(this.#sent, sent);
    if (this.#isSaving) return;
    this.#isSaving = true;
    // The next record that is shown tries again.
    void this.#saveUntilEqual()
      .catch(() => undefined)
      .finally(() => {
        this.#isSaving = false;
      });
  }

  async #saveUntilEqual(): Promise<void> {
    const { records } = this.#parts;
    let now = this.#latest;
    for (let attempt = 0; attempt < maxAttempts && now.delivered < this.#sent; attempt++) {
      const delivered = this.#sent;
      // A retry of the last turn does not repeat it either, if that turn had no messages.
      const hadNone = now.deliveredBefore === now.delivered;
      const deliveredBefore = hadNone ? delivered : now.deliveredBefore;
      try {
        now = await records.save({ ...now, delivered, deliveredBefore });
      } catch (error) {
        if (!(error instanceof Superseded)) throw error;
        now = await records.load(now.key, now.instance);
      }
    }
  }
}

function isBusy(record: EscalationRecord): boolean {
  return chatOf(record) !== null || record.phase.name === "reaching";
}

/** A reader has a few pages open, not hundreds. */
const maxStreams = 5;
/**
 * Milliseconds after which a client may reconnect whose stream ended in favour of a newer one.
 * Otherwise, more clients than streams would keep ending each other's streams.
 */
const displacedRetry = 60_000;
/** The interval between checks is this many times longer while the bot has the conversation. */
const idleFactor = 5;
/**
 * The number of checks after which a client must reconnect, on runtimes that limit the work of a
 * request.
 */
const maxChecks = 100;
const maxAttempts = 5;
