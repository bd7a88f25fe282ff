/** A call of an address that a customer named. */
export interface HookRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Milliseconds for the whole call. */
  readonly timeout: number;
}

export type HookAnswer =
  | {
      readonly ok: true;
      readonly status: number;
      readonly text: string;
      /** Header fields by lower-case name, of those that occur once. */
      readonly headers?: ReadonlyMap<string, string>;
    }
  /** It may not be called, or gave no answer; `reason` is for people. */
  | { readonly ok: false; readonly reason: string };

/**
 * Calls addresses that customers name, and only those that the configuration allows. Follows no
 * redirect; never throws.
 */
export type HookTransport = (request: HookRequest) => Promise<HookAnswer>;
