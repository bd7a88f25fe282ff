import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createReporter } from "../../yaml/diagnostic.ts";
import { findPackageRoot } from "../../config/load/package-root.ts";
import { readSource } from "../../yaml/read-file.ts";
import { parseYaml } from "../../yaml/yaml.ts";
import { AfterwordError } from "../../errors.ts";
import { toShellWord } from "../../text.ts";
import { createNegotiator } from "../../locales/negotiate.ts";
import { LOCALES } from "../../locales/shipped.ts";
import type { Command } from "../command/command.ts";
import { shortenPath } from "../command/shortened.ts";
import { createConfigTemplate } from "../init/config-template.ts";
import { createMessagesTemplate, type ShippedLines } from "../init/messages-template.ts";
import { toRelativePath, findSchemaDirectory } from "../../config/edit/schema-directory.ts";
import { didYouMeanLocale, readLocale } from "../../config/translation/locale-names.ts";
import { writeFiles } from "../../config/edit/write-files.ts";

export const initCommand: Command = {
  name: "init",
  usage: "[--locale L] [--dir D] [--force]",
  options: [
    { name: "locale", value: "L", help: "language of your bot, such as fr or pt-BR (default: en)" },
    { name: "dir", value: "D", help: "directory to write into (default: config)" },
    { name: "force", help: "write files even when they exist" },
  ],
  async run(args, terminal) {
    const asked = args.one("locale") ?? "en";
    const locale = findShippedLocale(asked);
    if (locale === null) throw createUnknownLocaleError(asked);
    const directory = resolve(args.one("dir") ?? "config");
    const root = findPackageRoot();
    const { fromConfig, copies } = findSchemaDirectory(directory, root);
    const configuration = {
      file: join(directory, "afterword.yaml"),
      text: createConfigTemplate({
        locale,
        schema: `${fromConfig}/afterword.schema.json`,
        data: dataOf(directory),
      }),
    };
    const fromMessages = toRelativePath(join("..", fromConfig));
    const messages = {
      file: join(directory, "messages", `${locale}.yaml`),
      text: createMessagesTemplate(
        locale,
        `${fromMessages}/messages.schema.json`,
        readShippedLines(locale, root),
      ),
    };
    const files = [configuration, messages, ...copies];
    const existing = files.filter(({ file }) => existsSync(file));
    if (existing.length > 0 && !args.has("force")) {
      const names = existing.map(({ file }) => shortenPath(file)).join(", ");
      terminal.error(`afterword init: ${names}: there already; --force overwrites\n`);
      return 1;
    }
    const failure = await writeFiles(files);
    if (failure !== null) {
      terminal.error(`afterword init: ${failure.message}\n`);
      return 1;
    }
    const serving =
      readLocale(asked, LOCALES) === locale
        ? ""
        : `Readers of ${asked} get the texts for ${locale}.\n`;
    const option =
      args.one("dir") === null ? "" : ` --config ${toShellWord(shortenPath(configuration.file))}`;
    const written = files.map(({ file }) => `wrote ${shortenPath(file)}\n`).join("");
    terminal.out(
      `${written}${serving}Next: afterword check${option}, then afterword serve${option}\n`,
    );
    return 0;
  },
};

/**
 * The data directory as the file names it: that of the `backend` commands in this folder, so that
 * their keys open this gateway too. Beside a file elsewhere, and where there is one already, it is
 * the file's own.
 */
function dataOf(directory: string): string {
  const own = "./.afterword";
  const inFolder = dirname(directory) === process.cwd();
  return inFolder && !existsSync(join(directory, own)) ? toRelativePath(join("..", own)) : own;
}

function createUnknownLocaleError(asked: string): AfterwordError {
  const guess = didYouMeanLocale(asked, LOCALES);
  const list = guess === "" ? ` There are: ${LOCALES.join(", ")}` : guess;
  return new AfterwordError(
    "argument-invalid",
    `afterword init: no texts come with Afterword for "${asked}".${list}`,
  );
}

function readShippedLines(locale: string, root: string): ShippedLines {
  const reporter = createReporter();
  const source = readSource(join(root, "locales", `${locale}.yaml`), 1_048_576, reporter);
  const value = source === null ? null : parseYaml(source, reporter)?.value;
  if (typeof value === "object" && value !== null) return { ...value };
  const [first] = reporter.diagnostics();
  throw new AfterwordError("config-unreadable", first?.message ?? `no texts for ${locale}`);
}

/**
 * The shipped table that serves readers of a tag, or null when only the default would.
 *
 * @example
 * shippedLocale("zh_TW"); // "zh-Hant"
 */
function findShippedLocale(tag: string): string | null {
  const { locale, reason } = negotiate({ header: tag });
  return reason === "default" ? null : locale;
}

const negotiate = createNegotiator({
  channels: { "": Object.fromEntries(LOCALES.map((locale) => [locale, { locale, lines: {} }])) },
  chains: {},
  fallback: "en",
});
