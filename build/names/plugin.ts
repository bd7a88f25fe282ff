import { verbs } from "./verbs.ts";

/**
 * Two rules for oxlint. The name of a function begins with a verb (`readBody`) or says what it
 * gives of what (`titleOf`, `pathIn`). A comment is a sentence about something that it names, so
 * it begins with no What, Who, Where or Of.
 */
const verb: Rule = {
  create(context) {
    return {
      FunctionDeclaration({ id }): void {
        if (id === null || isComponent(id.name) || namesRelation(id.name)) return;
        const [first = ""] = /^[a-z]+/.exec(id.name) ?? [];
        if (verbs.has(first)) return;
        const message = `"${id.name}" begins with no verb. Say what the function does (readBody) or what it gives of what (titleOf); a verb that is missing goes into build/names/verbs.ts.`;
        context.report({ node: id, message });
      },
    };
  },
};

const comment: Rule = {
  create(context) {
    return {
      Program(): void {
        for (const node of context.sourceCode.getAllComments()) {
          const [, start] = /^[*\s]*(What|Who|Whom|Whose|Where|Of) /.exec(node.value) ?? [];
          if (start === undefined || continuesLine(node, context.sourceCode.text)) continue;
          const message = `A comment that begins with "${start}" leaves its subject out. Begin with the thing or the person that it is about.`;
          context.report({ node, message });
        }
      },
    };
  },
};

/** A component of a page is written like a type. */
function isComponent(name: string): boolean {
  return /^[A-Z]/.test(name);
}

function namesRelation(name: string): boolean {
  return /[a-z0-9](?:Of|In|From|For|At|To|By|On|With|Without|As|Per|Between|Under|Over|Within|After|Before|Among|Behind|Around|Than|Since|Until)(?:[A-Z]|$)/.test(
    name,
  );
}

/** True for a line of `//` below another one. */
function continuesLine({ type, start }: Comment, text: string): boolean {
  return type === "Line" && /(?:^|\n)[ \t]*\/\/[^\n]*\n[ \t]*$/.test(text.slice(0, start));
}

interface Comment {
  readonly type: string;
  readonly value: string;
  readonly start: number;
}

/** The part of oxlint's types that these rules need; its package does not export them. */
interface Rule {
  create(context: Context): {
    FunctionDeclaration?(node: { readonly id: { readonly name: string } | null }): void;
    Program?(): void;
  };
}

interface Context {
  readonly sourceCode: { readonly text: string; getAllComments(): readonly Comment[] };
  report(found: { readonly node: unknown; readonly message: string }): void;
}

const plugin: { readonly meta: object; readonly rules: Readonly<Record<string, Rule>> } = {
  meta: { name: "names" },
  rules: { verb, comment },
};
// oxlint asks for a default export.
// oxlint-disable-next-line import/no-default-export
export default plugin;
