import type { InstanceConfig } from "../config/config.ts";
import { type ConversationMemory, nothingKnown } from "../conversation/memory.ts";
import { scan } from "../json/scan.ts";
import { compileShape } from "../json/shape.ts";
import { textOf } from "../json/text.ts";
import type { GatewayRequest, Core } from "./core.ts";
import type { RawHeaders } from "./exchange.ts";
import { plainBody, readGate } from "./gates.ts";
import { fieldOf } from "./headers.ts";
import type { Recall } from "./recall.ts";
import type { Transform } from "./relay.ts";
import { createFieldReader } from "./request-text.ts";

/** Looks at the answer to a conversation's start, and lets it pass as it is. */
export function startTransform(
  core: Core,
  request: GatewayRequest,
  instance: InstanceConfig,
  body: Uint8Array,
): Transform {
  return watching(core, request, (answer) =>
    rememberStart(core.recall, instance, request.exchange.headers, body, answer),
  );
}

/** Looks at variables that the upstream accepted, and lets the answer pass as it is. */
export function variablesTransform(
  core: Core,
  request: GatewayRequest,
  instance: InstanceConfig,
  body: Uint8Array,
): Transform {
  const { headers } = request.exchange;
  return watching(core, request, () => rememberVariables(core.recall, instance, headers, body));
}

/** Looks at a rating that the upstream took, and lets the answer pass as it is. */
export function ratingTransform(
  core: Core,
  request: GatewayRequest,
  instance: InstanceConfig,
  body: Uint8Array,
): Transform {
  return watching(core, request, () => core.escalations?.rated(request, instance, body));
}

function watching(
  core: Core,
  request: GatewayRequest,
  watch: (answer: Uint8Array) => Promise<void> | undefined,
): Transform {
  const limit = request.snapshot.config.limits.transformBytes;
  return {
    limit,
    gate: (head) => readGate(head.status, head.headers, limit),
    async edit(head, body) {
      const plain = await plainBody(core.platform, head.headers, body, limit);
      if (plain !== null) await watch(plain);
      return null;
    },
  };
}

/**
 * Remembers what POST /conversation said: the language is stated only there (chatbot.md, 3.2). The
 * answer is never changed.
 *
 * @param request the first bytes of the request body
 * @param answer the decoded body of a 200 answer
 */
function rememberStart(
  recall: Recall,
  instance: InstanceConfig,
  headers: RawHeaders,
  request: Uint8Array,
  answer: Uint8Array,
): Promise<void> | undefined {
  const root = scan(answer, answerShape);
  const token = root?.kind === "object" ? root.fields.get("sessionToken") : undefined;
  if (token?.kind !== "string") return undefined;
  const memory: ConversationMemory = {
    ...nothingKnown,
    lang: readLang(request).get("lang") ?? null,
    env: fieldOf(headers, "x-inbenta-env"),
    userType: fieldOf(headers, "x-inbenta-user-type"),
    source: fieldOf(headers, "x-inbenta-source"),
  };
  return recall.remember(instance, textOf(answer, token), memory);
}

/** Remembers listed variables that a client sets (POST /conversation/variables, and /multiple). */
function rememberVariables(
  recall: Recall,
  instance: InstanceConfig,
  headers: RawHeaders,
  request: Uint8Array,
): Promise<void> | undefined {
  const given = variablesOf(request);
  const listed = [...given].filter(([name]) => instance.variables.includes(name));
  if (listed.length === 0) return undefined;
  return recall.change(instance, headers, (memory) => {
    const variables = { ...memory.variables, ...Object.fromEntries(listed) };
    return { ...memory, variables };
  });
}

const answerShape = compileShape({ fields: { sessionToken: {} } });
const readLang = createFieldReader(["lang"]);
const readPair = createFieldReader(["name", "value"]);
const multipleShape = compileShape({
  fields: { variables: { each: {}, items: { fields: { name: {}, value: {} } } } },
});
// A variable is a word or a line; what is longer is not one that a text should carry.
const longestValue = 1000;

function variablesOf(request: Uint8Array): Map<string, string> {
  const variables = new Map<string, string>();
  const put = (name: string | undefined, value: string | undefined): void => {
    if (name === undefined || value === undefined || value.length > longestValue) return;
    variables.set(name.toLowerCase(), value);
  };
  const pair = readPair(request);
  put(pair.get("name"), pair.get("value"));
  const root = scan(request, multipleShape);
  const several = root?.kind === "object" ? root.fields.get("variables") : undefined;
  if (several?.kind === "object") {
    for (const [name, node] of several.fields) {
      if (node.kind === "string") put(name, textOf(request, node));
    }
  } else if (several?.kind === "array") {
    for (const item of several.items) {
      if (item.kind !== "object") continue;
      const name = item.fields.get("name");
      const value = item.fields.get("value");
      if (name?.kind === "string" && value?.kind === "string") {
        put(textOf(request, name), textOf(request, value));
      }
    }
  }
  return variables;
}
