// oxlint-disable typescript/consistent-type-imports -- an ambient module can import in no other way
// Parts of undici, without the `fetch`, WebSocket, cache and mocks that its main entry loads with
// them: decisions 54 and 57.
declare module "undici/lib/core/connect.js" {
  const buildConnector: typeof import("undici").buildConnector;
  export default buildConnector;
}

declare module "undici/lib/llhttp/llhttp-wasm.js" {
  const code: Uint8Array<ArrayBuffer>;
  export default code;
}
declare module "undici/lib/llhttp/llhttp_simd-wasm.js" {
  const code: Uint8Array<ArrayBuffer>;
  export default code;
}
