import { DEMO_PROJECTS, type Project } from "../../backend/chatbot/projects.ts";
import type { BackendOptions } from "../../backend/options.ts";
import { listActiveDefaultContent, isCalendarDate } from "../../direct-answers/default-content.ts";
import { isUsableEntry, USABLE_ENTRIES } from "../../config/schema/media-types.ts";
import {
  type Arguments,
  type Option,
  readChoice,
  createArgumentError,
} from "../command/arguments.ts";
import { readLanguage } from "./read-language.ts";

/** Settings that the specification leaves open, like `backend:` in a configuration. */
export const serviceOptions: readonly Option[] = [
  {
    name: "language",
    value: "L",
    help: "language of conversations that do not name one (default: en)",
  },
  {
    name: "created",
    value: "[PROJECT=]DATE",
    help: "day on which a project was created, or every project that is not named: from 2018-10-01 on its default content is active (default: today; the demo project shop is older); may be given several times",
    many: true,
  },
  {
    name: "wire",
    value: "SPELLING",
    help: "deployed or seed: which spelling is emitted where the specification and the deployed service differ (default: deployed)",
  },
  {
    name: "empty-search",
    value: "STATUS",
    help: "404 or 200: status of a knowledge search that finds nothing (default: 404)",
  },
  {
    name: "ticketing-media-types",
    value: "TYPE,…",
    help: "files that ticketing takes: extensions such as .md, types such as image/png or image/*, or */* for all",
    many: true,
  },
  { name: "log-ip", help: "knowledge events record the reader's address" },
  { name: "log-user-agent", help: "knowledge events record the browser and the SDK's version" },
];

interface ServiceOptions extends Required<
  Pick<BackendOptions, "wire" | "knowledge" | "ticketing">
> {
  /** @param hasDemo whether the demo projects, which have dates of their own, are served too */
  readonly projects: (hasDemo: boolean) => readonly Project[];
}

/** @throws AfterwordError `argument-invalid`, in one line that names the option */
export function readServiceOptions(args: Arguments): ServiceOptions {
  return {
    projects: readProjects(args),
    wire: readChoice(args, "wire", ["deployed", "seed"]),
    knowledge: {
      emptySearch: readChoice(args, "empty-search", ["404", "200"]) === "200" ? 200 : 404,
      logIp: args.has("log-ip"),
      logUserAgent: args.has("log-user-agent"),
    },
    ticketing: ticketingOf(args),
  };
}

function ticketingOf(args: Arguments): Required<BackendOptions>["ticketing"] {
  const mediaTypes = args.list("ticketing-media-types");
  const wrong = mediaTypes.find((entry) => !isUsableEntry(entry));
  if (wrong === undefined) return args.has("ticketing-media-types") ? { mediaTypes } : {};
  throw createArgumentError(
    "backend",
    `--ticketing-media-types takes ${USABLE_ENTRIES}, not "${wrong}"`,
  );
}

/** The first project stands in for every project of a key that is not named here. */
function readProjects(args: Arguments): ServiceOptions["projects"] {
  const language = languageOf(args);
  const dates = new Map(args.all("created").map(readCreated));
  const modern = listActiveDefaultContent(firstDay, {}).active;
  const dateProject = (name: string, otherwise: Project["activeDefaultContent"]): Project => {
    const created = dates.get(name);
    const { active } = listActiveDefaultContent(created ?? null, {});
    return { name, language, activeDefaultContent: created === undefined ? otherwise : active };
  };
  return (hasDemo) => {
    const demo = (hasDemo ? DEMO_PROJECTS : []).map((project) =>
      dateProject(project.name, project.activeDefaultContent),
    );
    const known = new Set([everyOther, ...demo.map(({ name }) => name)]);
    const named = [...dates.keys()].filter((name) => !known.has(name));
    return [
      dateProject(everyOther, modern),
      ...demo,
      ...named.map((name) => dateProject(name, modern)),
    ];
  };
}

/** Cannot be a project's name, because these never contain `*`. */
const everyOther = "*";
const firstDay = "2018-10-01";

function readCreated(text: string): readonly [project: string, date: string] {
  const at = text.lastIndexOf("=");
  const project = at === -1 ? everyOther : text.slice(0, at).trim();
  const date = text.slice(at + 1).trim();
  if (project !== "" && isCalendarDate(date)) return [project, date];
  throw createArgumentError(
    "backend",
    `--created is a day such as 2018-06-01, or one of a project such as main=2018-06-01, not "${text}"`,
  );
}

function languageOf(args: Arguments): string {
  return readLanguage("backend", args.one("language") ?? "en").toLowerCase();
}
