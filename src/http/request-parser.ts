import { limits } from "../runtime/server-limits.ts";
import { failed, type Llhttp, ok } from "./llhttp.ts";
import { MessageParser } from "./message-parser.ts";

/** Reads the requests that come on one connection, one after the other. */
export class RequestParser extends MessageParser {
  method = "";
  /** One char per byte. */
  target = "";
  /** HTTP/1.1 rather than 1.0. */
  current = false;
  /** It asked for another protocol, or for a tunnel. */
  upgrade = false;

  constructor(llhttp: Llhttp) {
    super(llhttp, "requests", limits.headSize);
  }

  override onTarget(at: number, length: number): number {
    this.target += this.textAt(at, length);
    return this.grow(length);
  }

  override onStatus(): number {
    return failed;
  }

  override onHead(_status: number, upgrade: boolean, keepAlive: boolean): number {
    if (this.parsing.major() !== 1) return failed;
    this.method = this.parsing.method();
    this.current = this.parsing.minor() === 1;
    this.upgrade = upgrade;
    this.endHead(keepAlive);
    return ok;
  }

  protected override startHead(): void {
    super.startHead();
    this.method = "";
    this.target = "";
    this.upgrade = false;
  }
}
