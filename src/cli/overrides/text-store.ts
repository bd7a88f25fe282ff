/**
 * Where pushed texts are kept for workers: a KV namespace. Each call rejects with an AfterwordError
 * that says what to do.
 */
export interface TextStore {
  get(key: string): Promise<string | null>;
  put(key: string, text: string): Promise<void>;
  delete(key: string): Promise<void>;
}
