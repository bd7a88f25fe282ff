import { relative } from "node:path";
import { exceptions, PUT_TOGETHER } from "./exceptions.ts";
import { isLinear } from "./is-linear.ts";

/**
 * A rule for oxlint: every pattern of the source takes time in proportion to the text that it
 * reads, whatever that text is, or is listed with a reason in `exceptions.ts`. Run by `npm run
 * lint:patterns`; decision 60 says why.
 */
const linear: Rule = {
  create(context) {
    const file = relative(context.cwd, context.filename).replaceAll("\\", "/");
    const stale = new Set(exceptions.filter((one) => one.file === file).map((one) => one.pattern));
    const isExcepted = (pattern: string): boolean => {
      stale.delete(pattern);
      return exceptions.some((one) => one.file === file && one.pattern === pattern);
    };
    const look = (node: unknown, pattern: string, flags: string): void => {
      if (isExcepted(pattern)) return;
      const answer = isLinear(pattern, flags);
      if (answer === true) return;
      context.report({ node, message: `${answer} ${CURE}` });
    };
    const construct = (node: Call): void => {
      const [first, second] = node.arguments;
      if (node.callee.name !== "RegExp" || first === undefined) return;
      const pattern = textOf(first);
      const flags = second === undefined ? "" : textOf(second);
      if (pattern !== null && flags !== null) return look(node, pattern, flags);
      if (isExcepted(PUT_TOGETHER)) return;
      context.report({ node, message: `This pattern is put together when the code runs. ${CURE}` });
    };
    return {
      Literal(node: Literal): void {
        if (node.regex !== undefined) look(node, node.regex.pattern, node.regex.flags);
      },
      NewExpression: construct,
      CallExpression: construct,
      "Program:exit"(node: unknown): void {
        for (const pattern of stale) {
          context.report({
            node,
            message: `exceptions.ts names a pattern that is gone: ${pattern}`,
          });
        }
      },
    };
  },
};

const CURE =
  "Write it otherwise, or say in build/patterns/exceptions.ts why it may stay (docs/decisions/0060-linear-patterns.md).";

function textOf(node: Literal): string | null {
  return node.type === "Literal" && typeof node.value === "string" ? node.value : null;
}

interface Literal {
  readonly type: string;
  readonly value?: unknown;
  readonly regex?: { readonly pattern: string; readonly flags: string };
}

interface Call {
  readonly callee: { readonly name?: string };
  readonly arguments: readonly Literal[];
}

/** The part of oxlint's types that this rule needs; its package does not export them. */
interface Rule {
  create(context: Context): {
    Literal(node: Literal): void;
    NewExpression(node: Call): void;
    CallExpression(node: Call): void;
    "Program:exit"(node: unknown): void;
  };
}

interface Context {
  readonly cwd: string;
  readonly filename: string;
  report(found: { readonly node: unknown; readonly message: string }): void;
}

const plugin: { readonly meta: object; readonly rules: Readonly<Record<string, Rule>> } = {
  meta: { name: "patterns" },
  rules: { linear },
};
// oxlint asks for a default export.
// oxlint-disable-next-line import/no-default-export
export default plugin;
