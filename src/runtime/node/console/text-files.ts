import { dirname, relative } from "node:path";
import type { CompiledFile } from "../../../config/compile/lines.ts";
import type { Config } from "../../../config/config.ts";
import type { Diagnostic } from "../../../yaml/diagnostic.ts";
import type { LoadOptions } from "../../../config/load/load.ts";
import type { Finding, LineFinding, OwnText } from "../../../api/console.ts";
import type { Findings } from "../../../gateway/console/files.ts";
import { answerInThread, createThread } from "../../../storage/thread.ts";
import type { PlannedDraft, TextChange } from "./planned-draft.ts";

/** Reads the owner's files in a thread, because parsing and checking them would delay requests. */
export interface TextReader {
  read(): Promise<Findings>;
  /**
   * The same as it would be with changes.
   *
   * @param texts whole files instead of those on the disk, by their path below the configuration's
   *   folder; null to leave the file out
   * @param bases the files as the changes were begun with them, where that is known
   */
  plan(changes: readonly TextChange[], texts: FileTexts, bases: FileTexts): Promise<Planned>;
}

export type FileTexts = Readonly<Record<string, string | null>>;

/** Files with planned changes, and the findings of the check. */
export interface Planned extends Findings, PlannedDraft {
  /** In spite of errors; null when the files are unusable. */
  readonly config: Config | null;
  /** False if the gateway could not load it. */
  readonly loads: boolean;
}

export function createTextReader(file: string, { env, ...options }: LoadOptions): TextReader {
  // `process.env` is no plain object, and cannot be sent to a thread.
  const call = { file, options: { ...options, ...(env && { env: { ...env } }) } };
  let reading: Promise<Findings> | null = null;
  return {
    read() {
      // Concurrent callers share the result.
      reading ??= thread.call(call).finally(() => (reading = null));
      return reading;
    },
    plan: (changes, texts, bases) => thread.call({ ...call, plan: { changes, texts, bases } }),
  };
}

interface ReadCall {
  readonly file: string;
  readonly options: LoadOptions;
  readonly plan?: {
    readonly changes: readonly TextChange[];
    readonly texts: FileTexts;
    readonly bases: FileTexts;
  };
}

const does = "reads the texts for the console";

const thread = createThread<ReadCall, Planned>({
  module: new URL(import.meta.url),
  does,
  longest: 120_000,
  idleAfter: 60_000,
});

answerInThread(does, read);

async function read({ file, options, plan }: ReadCall): Promise<Planned> {
  // The process that starts the thread does not load the parsers.
  const [
    { checkConfig },
    { listMessageTexts: messageTexts, formatTextId },
    { positionAt },
    { planDraft, overlayOf },
  ] = await Promise.all([
    import("../../../config/check/check.ts"),
    import("../../../config/load/message-texts.ts"),
    import("../../../yaml/source.ts"),
    import("./planned-draft.ts"),
  ]);
  const planned = await planDraft(file, options, plan?.changes ?? [], plan?.bases ?? {});
  const overlay = overlayOf(dirname(file), planned.files, plan?.texts ?? {});
  const checked = await checkConfig(file, { ...options, overlay, isRunning: true });
  const { config, diagnostics, layers, draft } = checked;
  const findings = diagnostics.map((one) => findingOf(one, dirname(file)));
  return {
    ...planned,
    config: plan === undefined ? null : draft,
    loads: config !== null,
    findings: [...planned.faults, ...findings],
    sets: layers.map((ofSet) => {
      const own = ofSet
        .flatMap((layer) => [...layer.values()])
        .filter(({ file: { origin } }) => origin === "own");
      return {
        lines: own.flatMap(findingsOf),
        places: own.flatMap(ownTextsOf),
      };
    }),
  };

  /** A finding belongs to the last key that begins before it, and to the text that it is in. */
  function findingsOf({ file: messages }: CompiledFile): readonly LineFinding[] {
    const { locale, yaml, lines } = messages;
    const { source } = yaml;
    const texts = Array.from(messageTexts(messages), ({ address, path }) => {
      return { address, span: yaml.locate(path) };
    });
    const keys = Array.from(lines, ([key, { writtenKey }]) => ({
      key,
      line: positionAt(yaml.source, yaml.locate([writtenKey], "key").start).line,
    })).toSorted((one, other) => other.line - one.line);
    return diagnostics
      .filter((one) => one.file === source.file && one.severity !== "note")
      .flatMap((one): LineFinding[] => {
        const key = keys.find(({ line }) => line <= one.line)?.key;
        if (key === undefined) return [];
        const start = (source.lines[one.line - 1] ?? 0) + one.column - 1;
        const text = texts.find(({ span }) => span.start <= start && start < span.end);
        const id = text === undefined ? null : formatTextId(text.address);
        return [{ ...findingOf(one, dirname(file)), key, locale, id }];
      });
  }

  function ownTextsOf({ file: messages }: CompiledFile): readonly OwnText[] {
    const { locale, yaml } = messages;
    return [...messageTexts(messages)].map(({ address, text, path }) => ({
      key: address.key,
      locale,
      id: formatTextId(address),
      text,
      file: relative(dirname(file), yaml.source.file),
      line: positionAt(yaml.source, yaml.locate(path).start).line,
    }));
  }
}

/** Converts a finding to the form of the console's API. */
export function findingOf(
  { severity, code, message, hint, params, file, line, column }: Diagnostic,
  folder: string,
): Finding {
  const position = { file: relative(folder, file), line, column };
  const more = { ...(hint !== undefined && { hint }), ...(params !== undefined && { params }) };
  return { severity, code, message, ...more, ...position };
}
