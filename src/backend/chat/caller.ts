/** The caller of a request: a person with their own token, the app's server, or anybody. */
export interface Caller {
  readonly app: string;
  readonly secret: boolean;
  readonly person: ChatPerson | null;
}

export interface ChatPerson {
  readonly id: string;
  readonly kind: "user" | "agent";
}

/** The credentials of a request. */
export type ShownCredentials = Readonly<Record<"appId" | "secret" | "token", string | null>>;
