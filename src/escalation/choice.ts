/** An option of ours in a composed answer. */
export interface AnswerOption {
  readonly label: string;
  /** What the client sends back as `option`. */
  readonly value: string;
}

/** What a reader chose of our options. `epoch` is that of the escalation that offered it. */
export type Choice =
  | { readonly kind: "yes" | "no" | "cancel"; readonly epoch: number }
  /** Begins as ours and is none that we make: it is not for the engine. */
  | { readonly kind: "unknown" };

/** The options of a yes-or-no question, in this order. */
export function polarOptions(
  yes: string,
  no: string,
  epoch: number,
): readonly [AnswerOption, AnswerOption] {
  return [
    { label: yes, value: valueOf("yes", epoch) },
    { label: no, value: valueOf("no", epoch) },
  ];
}

/** The option that leaves our questions. */
export function cancelOption(label: string, epoch: number): AnswerOption {
  return { label, value: valueOf("cancel", epoch) };
}

/**
 * Reads a request's `option`. Null: not one of ours, so that it is for the engine.
 *
 * @example
 * readChoice("aw:yes:3"); // { kind: "yes", epoch: 3 }
 */
export function readChoice(option: unknown): Choice | null {
  if (typeof option !== "string" || !option.startsWith(prefix)) return null;
  const [, kind, epoch] = written.exec(option) ?? [];
  if (kind !== "yes" && kind !== "no" && kind !== "cancel") return { kind: "unknown" };
  return { kind, epoch: Number(epoch) };
}

/** True for the value of a composed yes-or-no question's first option. */
export function isPolar(options: readonly AnswerOption[]): boolean {
  const kinds = options.map(({ value }) => readChoice(value)?.kind);
  return kinds.length === 2 && kinds.includes("yes") && kinds.includes("no");
}

const prefix = "aw:";
const written = /^aw:(yes|no|cancel):(0|[1-9]\d{0,14})$/u;

function valueOf(kind: "yes" | "no" | "cancel", epoch: number): string {
  return `${prefix}${kind}:${epoch}`;
}
