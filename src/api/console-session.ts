// The gateway answers with these types, and the console's page reads them.

/** The permissions of a token. The admin token has all of them. */
export interface Grant {
  /** The name that the history shows. */
  readonly label: string;
  /** Each role includes the ones before it. */
  readonly role: Role;
  /** The languages that `edit` may change; null for every language. */
  readonly languages: readonly string[] | null;
  /** The instances that the token is limited to; null for all. */
  readonly instances: readonly string[] | null;
}

export type Role = "view" | "edit" | "publish" | "admin";

export interface ConsoleSession extends Grant {
  readonly version: string;
  readonly snapshot: string;
  /** False if the files have mistakes, and the last good ones are in force. */
  readonly inForce: boolean;
  /** False if there are no files to change, or the configuration forbids it. */
  readonly editable: boolean;
  /** True if the configuration says that the console is for reading (`console.edit`). */
  readonly readOnly: boolean;
  /** False if only the main text of a line can be changed, and there are no files to translate. */
  readonly everyText: boolean;
  /** True if the embedded backend answers, which has a chat page and a desk. */
  readonly embedded: boolean;
  /** True if insights are counted. */
  readonly insights: boolean;
  /** True if readers' questions without an answer are kept, and this token may read them. */
  readonly questions: boolean;
  /** True if the embedded backend's contents are in files here, and this token may see them. */
  readonly contents: boolean;
  /** The instances that this token may see. */
  readonly bots: readonly Bot[];
}

/** An instance in the form that the console shows. */
export interface Bot {
  readonly name: string;
  readonly language: string;
  /** The languages in which it has texts. */
  readonly locales: readonly string[];
  readonly channels: readonly string[];
  readonly variables: readonly string[];
}
