import { readFile } from "node:fs/promises";
import { loadConfig } from "../../config/load/load.ts";
import { reasonOf } from "../../yaml/read-file.ts";
import type { Trace, TraceStep } from "../../direct-answers/types.ts";
import { AfterwordError } from "../../errors.ts";
import { createRewriter } from "../../gateway/rewriter/rewriter.ts";
import { parseTag } from "../../locales/tag.ts";
import { formatOption, readFormat } from "../command/arguments.ts";
import { type Command, findConfigFile, configOption, type Terminal } from "../command/command.ts";

export const explainCommand: Command = {
  name: "explain",
  usage:
    "[--config FILE] [--instance NAME] [--locale L] [--channel C] [--var k=v] [--format text|json] FILE|-",
  options: [
    configOption,
    {
      name: "instance",
      value: "NAME",
      help: "instance (default: the one that matches everything, else the first)",
    },
    { name: "locale", value: "L", help: "language tag of the reader" },
    { name: "channel", value: "C", help: "channel, such as web or voice" },
    {
      name: "var",
      value: "k=v",
      help: "a conversation variable; may be given several times",
      many: true,
    },
    formatOption,
  ],
  positionals: 1,
  async run(args, terminal) {
    const format = readFormat(args);
    const [file] = args.positionals;
    if (file === undefined) {
      throw new AfterwordError(
        "argument-invalid",
        "afterword explain: name a file with a response body, or - for standard input",
      );
    }
    const variables = Object.fromEntries(args.all("var").map(readVariable));
    const config = await loadConfig(findConfigFile(args.one("config"), terminal));
    const instance = args.one("instance");
    const locale = args.one("locale");
    if (locale !== null && parseTag(locale) === null) {
      throw new AfterwordError(
        "argument-invalid",
        `afterword explain: "${locale}" is no language tag, such as fr or pt-BR`,
      );
    }
    if (instance !== null && !config.instances.some(({ name }) => name === instance)) {
      const names = config.instances.map(({ name }) => name).join(", ");
      throw new AfterwordError(
        "argument-invalid",
        `afterword explain: there is no instance "${instance}" (${names})`,
      );
    }
    const body = await readBody(file, terminal);
    const {
      changed,
      body: rewritten,
      trace,
    } = createRewriter({ config }).rewrite(body, {
      instance,
      locale,
      channel: args.one("channel"),
      variables,
      detail: true,
    });
    const text = new TextDecoder().decode(rewritten);
    terminal.out(
      format === "json"
        ? `${JSON.stringify({ changed, body: text, trace }, null, 2)}\n`
        : `${describe(trace)}\n${text}\n`,
    );
    return 0;
  },
};

function readVariable(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1)
    throw new AfterwordError(
      "argument-invalid",
      `afterword explain: --var is name=value, not "${text}"`,
    );
  return [text.slice(0, at), text.slice(at + 1)];
}

async function readBody(file: string, terminal: Terminal): Promise<Uint8Array> {
  if (file === "-") return terminal.readInput();
  try {
    return await readFile(file);
  } catch (cause) {
    const message = `afterword explain: ${file}: ${reasonOf(cause)}; name a file with a response body, or - for standard input`;
    throw new AfterwordError("argument-invalid", message, { cause });
  }
}

function describe(trace: Trace): string {
  const head = `instance ${trace.instance}, locale ${trace.locale} (${trace.localeReason}), channel ${trace.channel}`;
  if (trace.gate !== null) return `${head}\nleft as it is: ${trace.gate}\n`;
  return [head, ...trace.steps.map(describeStep), ""].join("\n");
}

function describeStep(step: TraceStep): string {
  const from =
    step.source === undefined
      ? ""
      : `, from ${step.source.origin} ${step.source.locale} (${step.source.rule})`;
  const flag = step.flag === null ? "" : ` ${step.flag}`;
  const odd = step.unexpected === true ? ", although default content should hide it" : "";
  const change = step.after === undefined ? "" : `\n  - ${step.before ?? ""}\n  + ${step.after}`;
  return `${step.at}${flag}: ${step.reason}${from}${odd}${change}`;
}
