/** The KV namespace of pushed texts. Each call rejects with an AfterwordError. */
export interface TextStore {
  get(key: string): Promise<string | null>;
  put(key: string, text: string): Promise<void>;
  delete(key: string): Promise<void>;
}
