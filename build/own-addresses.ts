import { relative, sep } from "node:path";
import type { TsdownPlugin } from "tsdown";

/**
 * Keeps the address of a bundled module where its source has it, as seen from `dist/`: threads are
 * started from there, and the files beside a module are found there.
 *
 * @param source folder of the modules
 */
export function ownAddresses(source: string): TsdownPlugin {
  return {
    name: "own-addresses",
    transform(code, id) {
      const path = relative(source, id).split(sep).join("/");
      if (path.startsWith("..") || !code.includes("import.meta.url")) return null;
      const address = `new URL("${path.replace(/\.ts$/, ".js")}", ${DIST}).href`;
      return { code: code.replaceAll("import.meta.url", address), map: null };
    },
    renderChunk(code, chunk) {
      if (!code.includes(DIST)) return null;
      const up = "../".repeat(chunk.fileName.split("/").length - 1) || "./";
      return {
        code: code.replaceAll(DIST, `new URL("${up}", import.meta.url)`),
        map: null,
      };
    },
  };
}

/** Stands for the address of `dist/` until the place of a chunk is known. */
const DIST = "__AFTERWORD_DIST__";
