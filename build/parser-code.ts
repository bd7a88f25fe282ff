import type { TsdownPlugin } from "tsdown";

/**
 * Makes a module of each of undici's compiled parsers. As CommonJS modules that export a buffer,
 * they would be copied byte by byte at each import, which takes 130 ms of a start.
 */
export function parserCode(): TsdownPlugin {
  return {
    name: "parser-code",
    transform(code, id) {
      if (!/[\\/]undici[\\/]lib[\\/]llhttp[\\/][\w-]+-wasm\.js$/.test(id)) return null;
      const base64 = /'([A-Za-z0-9+/=]{1000,})'/.exec(code)?.[1];
      if (base64 === undefined) throw new Error(`${id} has no compiled parser any more`);
      return { code: `export default Buffer.from("${base64}", "base64");`, map: null };
    },
  };
}
