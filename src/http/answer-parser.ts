import { failed, type Llhttp, noBody, ok } from "./llhttp.ts";
import { MessageParser } from "./message-parser.ts";

/** The largest head of an answer, or trailer, in bytes. */
const mostHead = 65_536;

/**
 * Reads the answers that come on one connection, one after the other. Interim answers (1xx) are
 * dropped; an upgrade, which nobody asks for, is an error.
 */
export class AnswerParser extends MessageParser {
  status = 0;
  reason = "";
  #bodiless = false;

  constructor(llhttp: Llhttp) {
    super(llhttp, "answers", mostHead);
  }

  /** @param bodiless HEAD: whatever the fields of the next answer say, no body follows */
  expect(bodiless: boolean): void {
    this.#bodiless = bodiless;
  }

  /**
   * The upstream has closed the connection in good order. @returns whether that is how its answer
   * ends
   */
  finish(): boolean {
    this.pieces = [];
    this.parsing.finish();
    return this.complete;
  }

  override onTarget(): number {
    return failed;
  }

  override onStatus(at: number, length: number): number {
    this.reason += this.textAt(at, length);
    return this.grow(length);
  }

  override onHead(status: number, upgrade: boolean, keepAlive: boolean): number {
    if (upgrade || status === 101 || this.parsing.major() !== 1) return failed;
    if (status < 200) {
      this.startHead();
      return ok;
    }
    this.status = status;
    this.endHead(keepAlive);
    return this.#bodiless ? noBody : ok;
  }

  protected override startHead(): void {
    super.startHead();
    this.status = 0;
    this.reason = "";
  }
}
