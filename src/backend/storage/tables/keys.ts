/** API keys and how often they were used. */
export interface KeyTables {
  api_keys: ApiKeyTable;
  rate_windows: RateWindowTable;
}

export interface ApiKeyTable {
  /** SHA-256 of the key, as base64url text: whoever reads the table can't use what stands in it. */
  key_digest: string;
  /** What people call it by. */
  name: string;
  project: string;
  /** Digests of the secrets, domains, factor, as JSON. */
  document: string;
  /** Milliseconds since the epoch. */
  created: number;
  /** Milliseconds since the epoch, or null while it is good. */
  revoked: number | null;
}

/** Calls of one key in one group within one window of time. */
export interface RateWindowTable {
  name: string;
  /** Milliseconds since the epoch: beginning and end of the window. */
  start: number;
  ends: number;
  /** Calls that processes have taken, counted or still to be made. */
  taken: number;
}
