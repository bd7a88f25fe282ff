import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { asksForPerson } from "../../../src/escalation/triggers/words.ts";
import { only } from "../../escalation/bodies.ts";
import { RECOGNITION } from "../../fixtures/recognition.ts";

const sentences = z.array(z.string());
const file = z.strictObject({
  language: z.string(),
  yes: sentences,
  no: sentences,
  cancel: sentences,
  person: sentences,
  none: sentences,
  unsure: sentences,
});

type Kinds = Omit<z.infer<typeof file>, "language">;

interface Kind {
  readonly all: number;
  readonly understood: number;
  /** Counted as a request for a person; a near miss must not be counted as anything else. */
  readonly asPerson: number;
}

const MEANINGS = ["yes", "no", "cancel", "person"] as const;

/**
 * The results for a language, as counts alone, because the people who correct the words must not
 * see the sentences.
 */
export interface Measured {
  readonly language: string;
  readonly all: number;
  /** Understood correctly. A sentence without a meaning, or an ambiguous one, had no effect. */
  readonly understood: number;
  /** Understood as something else. */
  readonly wrong: number;
  readonly kinds: Readonly<Record<keyof Kinds, Kind>>;
}

export function measure(folder: URL): readonly Measured[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => {
      const { language, ...kinds } = file.parse(parse(readFileSync(new URL(name, folder), "utf8")));
      const read = Object.entries(kinds).flatMap(([kind, texts]) =>
        texts.map((text) => ({ kind, meanings: meaningsOf(text, language) })),
      );
      const isRight = ({ kind, meanings }: (typeof read)[number]): boolean =>
        kind === "none" || kind === "unsure" ? meanings.length === 0 : meanings[0] === kind;
      const right = read.filter(isRight);
      return {
        language,
        all: read.length,
        understood: right.length,
        wrong: read.filter((one) => !isRight(one) && one.meanings.length > 0).length,
        kinds: Object.fromEntries(
          Object.keys(kinds).map((kind): [string, Kind] => {
            const some = read.filter((one) => one.kind === kind);
            return [
              kind,
              {
                all: some.length,
                understood: some.filter(isRight).length,
                asPerson: some.filter(({ meanings }) => meanings[0] === "person").length,
              },
            ];
          }),
        ) as Record<keyof Kinds, Kind>,
      };
    });
}

/** Reads in the order of a conversation: first as a request for a person, then as an answer. */
function meaningsOf(text: string, language: string): readonly (typeof MEANINGS)[number][] {
  if (asksForPerson(triggers, RECOGNITION, text, language)) return ["person"];
  const polar = RECOGNITION.polarOf(text, language);
  if (polar !== null) return [polar];
  return RECOGNITION.isCancel(text, language) ? ["cancel"] : [];
}

const triggers = only({ words: true });
