import plain from "undici/lib/llhttp/llhttp-wasm.js";
import simd from "undici/lib/llhttp/llhttp_simd-wasm.js";

/** llhttp's callbacks. `at` counts from the start of its input. A result other than 0 stops the parser. */
export interface ParsingEvents {
  onStatus(at: number, length: number): number;
  onName(at: number, length: number): number;
  onValue(at: number, length: number): number;
  onHead(status: number, upgrade: boolean, keepAlive: boolean): number;
  onBody(at: number, length: number): number;
  onComplete(): number;
}

/** llhttp's result codes. */
export const ok = 0;
export const failed = -1;
export const paused = 21;
/** A result of `onHead`: no body follows, whatever the fields say. */
export const noBody = 1;

/** llhttp's number for a parser of responses. */
const responses = 2;

/** The most bytes that {@link Parsing.execute} takes at once. */
export const pageSize = 65_536;

/** One parser's state. */
export interface Parsing {
  /** @param bytes at most {@link pageSize} */
  execute(bytes: Uint8Array): number;
  /** Tells the parser that the connection was closed cleanly. */
  finish(): number;
  /** The major number of HTTP's version, once the head is complete. */
  major(): number;
  /** How many bytes of the last input were read before it stopped. */
  position(): number;
  resume(): void;
  free(): void;
}

/** Creates a parser of answers. */
export type Llhttp = (events: ParsingEvents) => Parsing;

/**
 * Loads llhttp, the strict parser that Node's own HTTP uses, in the WebAssembly build of undici.
 *
 * @throws Error when undici's build has another interface
 */
export function loadLlhttp(): Llhttp {
  let current: ParsingEvents | null = null;
  let input = new Uint8Array(0);
  let start = 0;
  const env = {
    wasm_on_url: () => failed,
    wasm_on_message_begin: () => 0,
    wasm_on_status: (_: number, at: number, length: number) =>
      current?.onStatus(at - start, length) ?? failed,
    wasm_on_header_field: (_: number, at: number, length: number) =>
      current?.onName(at - start, length) ?? failed,
    wasm_on_header_value: (_: number, at: number, length: number) =>
      current?.onValue(at - start, length) ?? failed,
    wasm_on_headers_complete: (_: number, status: number, upgrade: number, keepAlive: number) =>
      current?.onHead(status, upgrade !== 0, keepAlive !== 0) ?? failed,
    wasm_on_body: (_: number, at: number, length: number) =>
      current?.onBody(at - start, length) ?? failed,
    wasm_on_message_complete: () => current?.onComplete() ?? failed,
  };
  const { exports } = new WebAssembly.Instance(compileParser(), { env });
  if (!isLlhttp(exports))
    throw new Error("undici's llhttp has another interface: pin undici's version");
  const llhttp = exports;
  start = llhttp.malloc(pageSize);

  return (events) => {
    const pointer = llhttp.llhttp_alloc(responses);
    return {
      execute(bytes) {
        // When WebAssembly memory grows, its buffer is replaced.
        if (input.buffer !== llhttp.memory.buffer) {
          input = new Uint8Array(llhttp.memory.buffer, start, pageSize);
        }
        input.set(bytes);
        current = events;
        const result = llhttp.llhttp_execute(pointer, start, bytes.length);
        current = null;
        return result;
      },
      finish() {
        current = events;
        const result = llhttp.llhttp_finish(pointer);
        current = null;
        return result;
      },
      major: () => llhttp.llhttp_get_http_major(pointer),
      position: () => llhttp.llhttp_get_error_pos(pointer) - start,
      resume: () => llhttp.llhttp_resume(pointer),
      free: () => llhttp.llhttp_free(pointer),
    };
  };
}

/** Compiles the build with SIMD or, for a processor without it, the plain one. */
function compileParser(): WebAssembly.Module {
  try {
    return new WebAssembly.Module(simd);
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    return new WebAssembly.Module(plain);
  }
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly malloc: (size: number) => number;
  readonly llhttp_alloc: (type: number) => number;
  readonly llhttp_free: (parser: number) => void;
  readonly llhttp_execute: (parser: number, at: number, length: number) => number;
  readonly llhttp_finish: (parser: number) => number;
  readonly llhttp_get_http_major: (parser: number) => number;
  readonly llhttp_resume: (parser: number) => void;
  readonly llhttp_get_error_pos: (parser: number) => number;
}

const functions = [
  "malloc",
  "llhttp_alloc",
  "llhttp_free",
  "llhttp_execute",
  "llhttp_finish",
  "llhttp_get_http_major",
  "llhttp_resume",
  "llhttp_get_error_pos",
];

function isLlhttp(exports: object): exports is Exports {
  return (
    Reflect.get(exports, "memory") instanceof WebAssembly.Memory &&
    functions.every((name) => typeof Reflect.get(exports, name) === "function")
  );
}
