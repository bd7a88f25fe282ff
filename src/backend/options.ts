import type { Credentials } from "./auth/credentials.ts";
import type { Content } from "./content/types.ts";
import type { PageFiles } from "./page/routes.ts";
import type { Project } from "./projects.ts";
import type { Storage } from "./storage/types.ts";

/** A product of this backend that clients find in `apis`. What does not exist is not advertised. */
export type Product = "chatbot";

/** What {@link createBackend} is made of. Time, randomness and storage come from outside. */
export interface BackendOptions {
  /** Loaded and validated: see `loadContent` and `parseContent`. */
  readonly content: Content;
  readonly credentials: Credentials;
  /** The bots of this backend; the first stands in for one that a credential names and that is not here. */
  readonly projects: readonly Project[];
  /** Secrets of at least 32 bytes; the first signs access tokens, all verify. Keep them over restarts. */
  readonly signingKeys: readonly Uint8Array[];
  readonly storage: Storage;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Bytes from a cryptographic source. */
  readonly random: (length: number) => Uint8Array;
  /**
   * Base address of a product in `apis`, without a trailing slash. Default: `/<product>` under the origin of the request.
   * Behind a gateway in the same process: `(product) => "embedded:" + product`.
   */
  readonly bases?: (product: Product, requestUrl: string) => string;
  /** The chat page; without it GET / is 404. */
  readonly page?: PageFiles;
  /** True while the well-known demo credentials are among `credentials`: then the page uses them. */
  readonly demo?: boolean;
  /** Bytes a request body may have. Default 10 MB (10,485,760). */
  readonly bodyLimit?: number;
  /** Told about every failure that a client saw as 500. Default: nobody. */
  readonly report?: (error: unknown) => void;
}
