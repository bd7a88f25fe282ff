import { createRequire } from "node:module";
import type { TsdownPlugin } from "tsdown";

/**
 * undici's llhttp is a CommonJS module that is a buffer. As one, each of its 54,202 bytes would
 * become a property of a namespace at every start, which takes longer than all else of it: here it
 * is a module with one export.
 */
export function llhttpCode(): TsdownPlugin {
  return {
    name: "llhttp-code",
    load(id) {
      if (!/[\\/]undici[\\/]lib[\\/]llhttp[\\/]llhttp_simd-wasm\.js$/.test(id)) return null;
      const code: unknown = createRequire(import.meta.url)(id);
      if (!Buffer.isBuffer(code)) throw new Error(`${id} is no buffer any more: pin undici`);
      return `export default Buffer.from("${code.toString("base64")}", "base64");`;
    },
  };
}
