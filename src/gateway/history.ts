import type { InstanceConfig } from "../config/config.ts";
import type { ConversationMemory } from "../conversation/memory.ts";
import { quote } from "../json/quote.ts";
import { scan } from "../json/scan.ts";
import { compileShape } from "../json/shape.ts";
import { splice } from "../json/splice.ts";
import { textOf } from "../json/text.ts";
import type { Edit, JsonNode } from "../json/types.ts";
import type { GatewayRequest, Core } from "./core.ts";
import { headGate, plainBody } from "./gates.ts";
import type { Transform } from "./relay.ts";

/**
 * `history: shown`: GET /conversation/history with the texts the reader saw. The history holds the
 * engine's words without flags (chatbot.md, 3.8), so each replaced text is found by what the engine
 * said, in the order it was said.
 */
export function historyTransform(
  core: Core,
  request: GatewayRequest,
  instance: InstanceConfig,
): Transform {
  const limit = request.snapshot.config.limits.transformBytes;
  return {
    limit,
    gate: (head) => headGate(head.status, head.headers, limit),
    async edit(head, body) {
      const plain = await plainBody(core.platform, head.headers, body, limit);
      if (plain === null) return null;
      const memory = await core.recall.of(instance, request.exchange.headers);
      const edits = shownEdits(plain, memory?.shown ?? []);
      return edits.length === 0 ? null : splice(plain, edits);
    },
  };
}

/** The edits that put what was shown in the place of what was said. */
export function shownEdits(body: Uint8Array, shown: ConversationMemory["shown"]): readonly Edit[] {
  if (shown.length === 0) return [];
  const root = scan(body, historyShape);
  if (root?.kind !== "array") return [];
  const edits: Edit[] = [];
  let next = 0;
  for (const item of root.items) {
    if (item.kind !== "object" || stringAt(body, item.fields.get("user")) !== "bot") continue;
    const message = item.fields.get("message");
    const said = stringAt(body, message);
    if (said === null || message === undefined) continue;
    const found = shown.findIndex(([original], index) => index >= next && original === said);
    const text = shown[found]?.[1];
    if (text === undefined) continue;
    next = found + 1;
    const bytes = quote(text);
    edits.push({ start: message.start, end: message.end, bytes });
    const list = listEdit(item.fields.get("messageList"), bytes);
    if (list !== null) edits.push(list);
  }
  return edits.sort((a, b) => a.start - b.start);
}

const historyShape = compileShape({
  items: { fields: { user: {}, message: {}, messageList: { items: {} } } },
});

function stringAt(body: Uint8Array, node: JsonNode | undefined): string | null {
  return node?.kind === "string" ? textOf(body, node) : null;
}

function listEdit(list: JsonNode | undefined, bytes: Uint8Array): Edit | null {
  if (list?.kind !== "array" || !list.items.some((item) => item.kind === "string")) return null;
  const first = list.items.at(0);
  const last = list.items.at(-1);
  return first === undefined || last === undefined
    ? null
    : { start: first.start, end: last.end, bytes };
}
