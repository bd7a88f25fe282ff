import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { createStoredKeys } from "../../backend/auth/stored-keys.ts";
import { toTextsDirectory } from "../../backend/content/read-directory.ts";
import { isYamlName } from "../../yaml/read-file.ts";
import type { BackendDatabase } from "../../backend/storage/tables/database.ts";
import { isPostgresAddress } from "../../database-address.ts";
import { formatForCommand, readAddress } from "../../storage/postgres/explain.ts";
import { openDatabase } from "../../backend/storage/open-database.ts";
import { usesEmbedded } from "../../config/load/embedded.ts";
import { loadAll } from "../../config/load/load.ts";
import { findPackageRoot } from "../../config/load/package-root.ts";
import type { Arguments } from "../command/arguments.ts";
import { readLanguage } from "../backend/read-language.ts";
import { listEngineTexts } from "../../backend/content/engine-texts.ts";
import { createContentTemplate } from "../backend/content-template.ts";
import { findDatabase, databaseOption } from "../backend/database-option.ts";
import { formatKey, createKey, SHOWN_ONCE } from "../backend/new-key.ts";
import { formatCount } from "../command/counted.ts";
import { type Command, findConfigFile, type Terminal } from "../command/command.ts";
import { shortenPath } from "../command/shortened.ts";
import { toShellWord } from "../../text.ts";
import { quoteUnlessPlain } from "../init/config-template.ts";
import { toRelativePath, findSchemaDirectory } from "../../config/edit/schema-directory.ts";
import { type FileContent, writeFiles } from "../../config/edit/write-files.ts";

const name = "backend init";
const defaultDirectory = "config/backend";

export const backendInitCommand: Command = {
  name,
  usage: "[--content DIR] [--database ADDRESS] [--language L] [--project P]",
  options: [
    {
      name: "content",
      value: "DIR",
      help: `directory to write into (default: ${defaultDirectory})`,
    },
    databaseOption,
    {
      name: "language",
      value: "L",
      help: "language of the content file (default: that of the configuration's first instance, else en)",
    },
    { name: "project", value: "P", help: "project of the first key (default: main)" },
  ],
  async run(args, terminal) {
    const address = findDatabase(args, terminal);
    const language = await languageOf(args, terminal);
    const project = args.one("project")?.trim() || "main";
    const directory = resolve(args.one("content") ?? defaultDirectory);
    const { files, existing } = planFiles(directory, language);
    const failure = files.length === 0 ? null : await writeFiles(files);
    if (failure !== null) {
      terminal.error(`afterword ${name}: ${failure.message}\n`);
      return 1;
    }
    const written = files.map(({ file }) => file);
    terminal.out(formatList(written, directory, (one) => `wrote ${one}`));
    terminal.out(formatList(existing, directory, (one) => `left ${one} as it was`));

    const database = await openDatabase(address);
    try {
      terminal.out(`database ${shortenPath(database.name)}\n`);
      await createFirstKey(database, project, terminal);
    } finally {
      await database.close();
    }
    terminal.out(describeNextSteps(args));
    terminal.out(await describeGateway(directory, address, terminal));
    return 0;
  },
};

async function languageOf(args: Arguments, terminal: Terminal): Promise<string> {
  const given = args.one("language");
  if (given !== null) return readLanguage(name, given);
  const file = findConfigFile(null, terminal);
  if (!existsSync(file)) return "en";
  const { draft } = await loadAll(file, { env: terminal.env });
  return draft?.instances[0]?.language || "en";
}

interface InitPlan {
  readonly files: readonly FileContent[];
  /** Files that are there already. */
  readonly existing: readonly string[];
}

/**
 * Plans which files to write. The example is left out if there are contents, which may use its ids.
 */
function planFiles(directory: string, language: string): InitPlan {
  const root = findPackageRoot();
  const own = namesIn(directory).filter(isYamlName);
  const { fromConfig, copies } = findSchemaDirectory(directory, root, ["content.schema.json"]);
  const example: readonly FileContent[] = [
    {
      file: join(directory, `contents.${language}.yaml`),
      text: createContentTemplate(language, `${fromConfig}/content.schema.json`),
    },
    ...copies,
  ];
  const all = [...(own.length === 0 ? example : []), ...listEngineTexts(directory)];
  return {
    files: all.filter(({ file }) => !existsSync(file)),
    existing: [
      ...own.map((one) => join(directory, one)),
      ...all.map(({ file }) => file).filter((file) => existsSync(file)),
    ],
  };
}

/** Returns an empty list also for a path that is not a directory, because writing then reports it. */
function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).toSorted();
  } catch {
    return [];
  }
}

/** Formats a line for each file, and a common one for the engine's texts of all languages. */
function formatList(
  files: readonly string[],
  directory: string,
  line: (name: string) => string,
): string {
  const texts = toTextsDirectory(directory);
  const others = files.filter((file) => dirname(file) !== texts);
  const engine = files.length - others.length;
  const lines = others.map((file) => `${line(shortenPath(file))}\n`).join("");
  const what = `the engine's texts, in ${formatCount(engine, "language")}`;
  return engine === 0 ? lines : `${lines}${line(shortenPath(texts))} (${what})\n`;
}

async function createFirstKey(
  database: BackendDatabase,
  project: string,
  terminal: Terminal,
): Promise<void> {
  const keys = createStoredKeys(database, Date.now);
  const known = await keys.list();
  if (known.length > 0) {
    terminal.out(`left its keys as they were: ${known.map((key) => key.name).join(", ")}\n`);
    return;
  }
  const entry = createKey({ project, factor: 1, domains: [], persons: [] });
  await keys.add("first", entry);
  terminal.out(`\n${formatKey("first", entry)}\n`);
  terminal.error(SHOWN_ONCE);
}

function describeNextSteps(args: Arguments): string {
  const options = ["content", "database"].flatMap((option) => {
    const given = args.one(option);
    // The password is left out, since screens and lists of processes would show it. PGPASSWORD passes it.
    const value = given !== null && isPostgresAddress(given) ? formatForCommand(given) : given;
    return value === null ? [] : [` --${option} ${toShellWord(value)}`];
  });
  const rest = options.join("");
  const database = options.filter((option) => option.startsWith(" --database")).join("");
  return `Next:
  afterword backend --no-demo${rest}
  afterword backend --no-demo --public-url https://bot.example.com${rest}   # behind a proxy with TLS
  afterword backend key add NAME${database}
`;
}

/** Describes whether the gateway of this folder, if there is one, uses the same contents and keys. */
async function describeGateway(
  directory: string,
  database: string,
  terminal: Terminal,
): Promise<string> {
  const file = findConfigFile(null, terminal);
  if (!existsSync(file)) return "";
  const { config } = await loadAll(file, { env: terminal.env });
  if (config === null || !usesEmbedded(config)) return "";
  const { backend } = config;
  if (backend.content === directory && backend.database === database) {
    return `  afterword serve   # ${file} has the same contents and the same keys\n`;
  }
  const from = dirname(resolve(file));
  const shortenNearPath = (path: string): string => {
    const short = relative(from, path);
    return short.startsWith(join("..", "..")) ? path : toRelativePath(short);
  };
  const path = isPostgresAddress(database) ? formatForCommand(database) : shortenNearPath(database);
  return `The gateway of ${file} uses the contents of ${shortenPath(backend.content)} and the keys of ${shortenPath(nameDatabase(backend.database))}. To use the new ones, write there:
  backend: { content: ${quoteUnlessPlain(shortenNearPath(directory))}, database: ${quoteUnlessPlain(path)} }
`;
}

/** Names a database without its password. */
function nameDatabase(database: string): string {
  return isPostgresAddress(database) ? readAddress(database).name : database;
}
