import type {
  CrossSellingItem,
  KnowledgeContent,
  UserQuestion,
} from "../../api/knowledge/answers.ts";
import { readTruthAttribute } from "../content/attributes.ts";
import type { ContentItem } from "../content/types.ts";
import { textOf } from "../http/request-body.ts";
import { writeCode, createLog } from "./recording.ts";
import { type CatalogQuestion, crossSellingOf } from "./catalog.ts";
import { visibleOf } from "./call.ts";
import type { KnowledgeService, KnowledgeCall } from "./call.ts";
import type { Paging } from "../../api/knowledge/schema.ts";

/** A content as it is answered. `log` relates its codes to the answer. */
export function toContent(
  item: ContentItem,
  call: KnowledgeCall,
  { library }: KnowledgeService,
  log: string,
): KnowledgeContent {
  const since = library.since(call.catalog.language, item.id);
  const hasVisible = (ids: readonly number[]): boolean => visibleOf(ids, call).length > 0;
  return {
    id: item.id,
    title: item.title,
    slug: item.slug,
    categories: item.categories,
    hasRelated: hasVisible(item.related),
    hasDecisionTree: hasVisible(item.options.map(({ content }) => content)),
    hasCrossSelling: hasVisible(crossSellingOf(item)),
    creationDate: toMoment(createdAt(item, since)),
    modificationDate: toMoment(modifiedAt(item, since)),
    ...attributesOf(item),
    attributeGroups: {},
    tracking: {
      clickCode: writeCode({ type: "click", content: item.id, log }),
      ...(isRated(item) && { rateCode: writeCode({ type: "rate", content: item.id, log }) }),
      externalCode: writeCode({ type: "external", content: item.id, log }),
    },
  };
}

export function toQuestion({ id, title, slug, item }: CatalogQuestion, log: string): UserQuestion {
  const clickCode = writeCode({ type: "question", question: id, log });
  return { id, title, slug, contentId: item.id, tracking: { clickCode } };
}

export function toCrossSelling(
  item: ContentItem,
  call: KnowledgeCall,
  service: KnowledgeService,
  log: string,
): CrossSellingItem {
  const beside = call.catalog.offeredBeside.get(item.id) ?? [];
  const contents = visibleOf(beside, call).map(({ id }) => id);
  return { ...toContent(item, call, service, log), contents };
}

/** A content's creation: the earlier of publication and change, else when first seen. */
export function createdAt({ publishFrom, modified }: ContentItem, since: number): number {
  const known = [publishFrom, modified].filter((at) => at !== null);
  return known.length === 0 ? since : Math.min(...known);
}

export function modifiedAt(item: ContentItem, since: number): number {
  return item.modified ?? createdAt(item, since);
}

function attributesOf(item: ContentItem): Pick<KnowledgeContent, "attributes" | "attributeArrays"> {
  const lists: [string, readonly string[]][] = [
    ...Object.entries(item.attributes).map(([name, value]): [string, string[]] => [
      name,
      [textOf(value) ?? JSON.stringify(value)],
    ]),
    ["ANSWER_TEXT", item.answers],
    ...(item.alternatives.length > 0
      ? [["ALTERNATIVE_TITLE", item.alternatives] satisfies [string, readonly string[]]]
      : []),
    ...(item.sideBubble === ""
      ? []
      : [["SIDEBUBBLE_TEXT", [item.sideBubble]] satisfies [string, readonly string[]]]),
  ];
  return {
    attributes: Object.fromEntries(lists.map(([name, values]) => [name, values.join("\n")])),
    attributeArrays: Object.fromEntries(lists),
  };
}

function isRated({ attributes }: ContentItem): boolean {
  return readTruthAttribute(attributes, "RATINGS") !== false;
}

/** Milliseconds since the epoch as this wire writes a moment: `YYYYMMDDhhmmss`, in UTC. */
function toMoment(at: number): string {
  const written = new Date(at).toISOString();
  return written
    .replace(/\.\d+Z$/, "")
    .replaceAll(/\D/g, "")
    .slice(-14);
}

/** Records of one page unless the caller names another number. */
const USUAL = 50;

interface Page<T> {
  readonly results: readonly T[];
  readonly hasMore: boolean;
}

/** One page of a list. */
export function pageOf<T>(all: readonly T[], { length = USUAL, offset = 0 }: Paging): Page<T> {
  return { results: all.slice(offset, offset + length), hasMore: offset + length < all.length };
}

/** One page of contents, as an answer. */
export function answerContents(
  items: readonly ContentItem[],
  call: KnowledgeCall,
  service: KnowledgeService,
  paging: Paging,
): object {
  const { results, hasMore } = pageOf(items, paging);
  return { results: toContents(results, call, service), hasMore };
}

export function toContents(
  items: readonly ContentItem[],
  call: KnowledgeCall,
  service: KnowledgeService,
): readonly KnowledgeContent[] {
  const log = createLog(service.random);
  return items.map((item) => toContent(item, call, service, log));
}
