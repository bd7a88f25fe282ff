import type { TsdownPlugin } from "tsdown";

/**
 * undici's client can send forms and has four builds of its parser, of which it takes one: what it does not load on an
 * ordinary day stays in undici's own folder, where the call that loads it finds it. It is half of the client.
 */
export function seldomUsedUndici(): TsdownPlugin {
  return {
    name: "seldom-used-undici",
    resolveId(specifier, importer) {
      if (importer === undefined || !/[\\/]undici[\\/]lib[\\/]/.test(importer)) return null;
      const [, part] = SELDOM_USED.exec(specifier) ?? [];
      return part === undefined ? null : { id: `undici/lib/${part}`, external: true };
    },
  };
}

const SELDOM_USED = /^(?:\.\.?\/)+((?:web|milo)\/.+|llhttp\/llhttp-wasm\.js)$/;
