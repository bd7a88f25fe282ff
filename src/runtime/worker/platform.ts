// The part of the Workers runtime that is used. Its own types would add globals beside Node's.

/** The context of one request. */
export interface ExecutionContext {
  /** Keeps the request's context until this settles, at most 30 s after its client has gone. */
  waitUntil(work: Promise<unknown>): void;
}

/** A store of texts by key: a KV namespace, or something that reaches one. */
export interface KeyedTexts {
  get(key: string): Promise<string | null>;
  put(key: string, text: string): Promise<void>;
  delete(key: string): Promise<void>;
}

/** A KV namespace. */
export interface TextNamespace extends KeyedTexts {
  list(options: { readonly prefix: string }): Promise<{
    readonly keys: readonly { readonly name: string }[];
  }>;
}

/** A binding to another worker, or to the static assets of this one. */
export interface Fetcher {
  fetch(url: string, init: RequestInit): Promise<Response>;
}

/** A namespace of Durable Objects of one class. */
export interface ObjectNamespace<Stub> {
  idFromName(name: string): unknown;
  get(id: unknown): Stub;
}

/** The storage of a Durable Object: a SQLite database of its own, and one alarm. */
export interface ObjectStorage {
  readonly sql: {
    exec(
      query: string,
      ...values: readonly (string | number | null)[]
    ): Iterable<Readonly<Record<string, unknown>>>;
  };
  /** Keeps all that `work` writes, or nothing when it throws. */
  transactionSync<Value>(work: () => Value): Value;
  getAlarm(): Promise<number | null>;
  setAlarm(time: number): Promise<void>;
  deleteAlarm(): Promise<void>;
  deleteAll(): Promise<void>;
}

export interface ObjectState {
  readonly storage: ObjectStorage;
}
