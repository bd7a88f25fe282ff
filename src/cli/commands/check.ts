import { checkConfig, type Checked, type Diagnostic } from "../../config/check/check.ts";
import { formatDiagnostics } from "../../yaml/format-diagnostics.ts";
import type { Config } from "../../config/config.ts";
import { createReporter } from "../../yaml/diagnostic.ts";
import {
  borrowsDemoContent,
  describeDemoContent,
  usesEmbedded,
} from "../../config/load/embedded.ts";
import { exposureOf } from "../../config/exposure.ts";
import { createSource, START } from "../../yaml/source.ts";
import { sectionOf } from "../../yaml/section.ts";
import { minTokenLength } from "../../gateway/exchange/admin.ts";
import { readChoice } from "../command/arguments.ts";
import { formatCount } from "../command/counted.ts";
import { shortenPath } from "../command/shortened.ts";
import { type Command, findConfigFile, configOption, type Terminal } from "../command/command.ts";
import { toShellWord } from "../../text.ts";

export const checkCommand: Command = {
  name: "check",
  usage: "[--config FILE] [--format text|json|github]",
  options: [configOption, { name: "format", value: "F", help: "text (default), json or github" }],
  async run(args, terminal) {
    const format = readChoice(args, "format", ["text", "json", "github"]);
    const { env } = terminal;
    const file = findConfigFile(args.one("config"), terminal);
    const checked = await checkConfig(file, { env });
    const contents = await checkContents(checked.draft, env);
    const diagnostics = [
      ...checked.diagnostics,
      ...(contents?.diagnostics ?? []),
      ...checkBorrowed(checked.draft),
      ...(await checkCredentials(checked, env)),
      ...checkEnvironment(env),
    ];
    const count = (level: Diagnostic["severity"]): number =>
      diagnostics.filter(({ severity }) => severity === level).length;
    const errors = count("error");
    terminal.out(formatDiagnostics(diagnostics, format));
    const summary = `${describeWhatWasRead(file, checked, contents)}: ${formatCount(errors, "error")}, ${formatCount(count("warning"), "warning")}\n`;
    // The formats for programs hold diagnostics alone.
    if (format === "text") terminal.out(summary);
    else terminal.error(summary);
    return errors === 0 ? 0 : 1;
  },
};

interface Contents {
  readonly diagnostics: readonly Diagnostic[];
  readonly files: number;
}

/** Checks the contents of the embedded backend; null where there is none. */
async function checkContents(
  config: Config | null,
  environment: Terminal["env"],
): Promise<Contents | null> {
  if (config === null || !usesEmbedded(config)) return null;
  // The backend's parsers are loaded only where there is a backend.
  const [{ compileDirectory }, { readDirectory }] = await Promise.all([
    import("../../backend/content/load.ts"),
    import("../../backend/content/read-directory.ts"),
  ]);
  const { backend, instances } = config;
  const surroundings = {
    variables: new Set(instances.flatMap(({ variables }) => variables)),
    webhooks: backend.webhooks,
  };
  const read = readDirectory(backend.content);
  const { diagnostics } = compileDirectory(read, { environment, surroundings });
  return { diagnostics, files: read.contents.length };
}

/**
 * Reports that the demo shop answers instead of the owner's contents. A server that others can
 * reach refuses to start with it.
 */
function checkBorrowed(config: Config | null): readonly Diagnostic[] {
  if (config === null || !usesEmbedded(config) || !borrowsDemoContent(config)) return [];
  const reporter = createReporter();
  const exposed = exposureOf(config.listen);
  const place = createSource(config.sources[0] ?? "", "");
  const severity = exposed === null ? "warn" : "error";
  reporter[severity](place, START, "demo-content", describeDemoContent(config, exposed));
  return reporter.diagnostics();
}

/** Whether the database has what the embedded backend and its hand-over need. */
async function checkCredentials(
  { draft, file }: Checked,
  env: Terminal["env"],
): Promise<readonly Diagnostic[]> {
  if (draft === null || file === null || !usesEmbedded(draft)) return [];
  const host = env["HOST"] || draft.listen.host;
  const exposed = exposureOf({ ...draft.listen, host });
  const isOpen = exposed === null || (env["AFTERWORD_DEMO_CREDENTIALS"] ?? "") !== "";
  const handsOver = draft.instances.some(({ escalation }) => escalation.mode === "managed");
  if (isOpen && !handsOver) return [];
  const { findMissing, ownedIn } =
    await import("../../runtime/node/credentials/own-credentials.ts");
  const owned = await ownedIn(draft.backend.database);
  // A database that cannot be read from here may be readable where the server runs.
  if (owned === null) return [];
  const reporter = createReporter();
  if (!isOpen && owned.keys.length === 0) {
    const message = `${exposed}, and the embedded backend's database has no key: the server does not start`;
    const [path = ""] = draft.sources;
    const hint = `Make one: afterword backend key add NAME --config ${toShellWord(shortenPath(path))}`;
    sectionOf(file, reporter, ["listen"]).key.warn("missing-credentials", message, hint);
  }
  for (const { index, message, hint } of findMissing(draft, owned)) {
    const section = sectionOf(file, reporter, ["instances", index, "name"]);
    section.warn("missing-credentials", message, hint);
  }
  return reporter.diagnostics();
}

/** Otherwise a reader might believe that these files were checked. */
function describeWhatWasRead(
  file: string,
  { draft, texts }: Checked,
  contents: Contents | null,
): string {
  if (draft === null) return `${file} (nothing else was read)`;
  const own = `${file}, ${formatCount(texts, "file")} of texts`;
  if (contents === null) return own;
  return borrowsDemoContent(draft)
    ? `${own}, the demo shop's contents`
    : `${own}, ${contents.files} of contents`;
}

/** A token from the environment has no position in a file. */
function checkEnvironment(env: Terminal["env"]): readonly Diagnostic[] {
  const reporter = createReporter();
  const token = env["AFTERWORD_ADMIN_TOKEN"] ?? "";
  if (token !== "" && token.length < minTokenLength) {
    const message = `AFTERWORD_ADMIN_TOKEN has ${formatCount(token.length, "character")}, and ${minTokenLength} are needed`;
    const place = createSource("environment", "");
    reporter.warn(place, START, "short-token", message, "openssl rand -base64 32 makes one.");
  }
  return reporter.diagnostics();
}
