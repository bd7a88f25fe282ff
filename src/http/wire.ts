import type { TransportError } from "../gateway/transport.ts";

/** An open connection of a runtime's own kind, with TLS already proved. */
export interface Wire {
  /**
   * Sends in one piece. What the system does not take at once goes out later, in its order. @param
   * head one char per byte
   */
  send(head: string, body: Uint8Array | null): void;
  /**
   * Sends further bytes, which nobody changes any more. @returns false: wait for `roomAgain` before
   * the next
   */
  write(bytes: Uint8Array): boolean;
  /** False from the moment it has broken, which `lost` may tell later. */
  readonly stands: boolean;
  /** Whether the system has taken all that was sent. */
  readonly drained: boolean;
  /** What it hands over are other bytes once the call has returned. */
  readonly lends: boolean;
  pause(): void;
  resume(): void;
  /** Whether it keeps the process running. */
  hold(holds: boolean): void;
  /** Closes at once, with a reset where bytes are under way. */
  terminate(): void;
}

/** Who has a connection. */
export interface WireEvents {
  opened(wire: Wire): void;
  /** There will be no connection. */
  unreached(error: TransportError): void;
  received(bytes: Buffer): void;
  /** The system has taken what was sent. */
  roomAgain(): void;
  /** The other side will send nothing more. */
  sentAll(): void;
  /** It is closed. Nothing follows. */
  lost(): void;
}

/** Opens a connection to the one place it was made for. Never throws. */
export type OpenWire = (events: WireEvents) => void;
