import type { TsdownPlugin } from "tsdown";

/**
 * To import from `node:http` reads every export of it, and three of them (`WebSocket` and its
 * events) make Node load all that belongs to `fetch`: a tenth of a start. Taken from the module as
 * it is, none is read but what is used.
 */
export function plainHttp(): TsdownPlugin {
  return {
    name: "plain-http",
    renderChunk(code) {
      const plain = code.replaceAll(
        /^import \{([^}]*)\} from "node:http";$/gm,
        (_, names: string) =>
          `const {${names.replaceAll(" as ", ": ")}} = process.getBuiltinModule("node:http");`,
      );
      return plain === code ? null : { code: plain, map: null };
    },
  };
}
