import { Deserializer, Serializer } from "node:v8";
import type { Config } from "../../../config/config.ts";
import { freezeDeep } from "../../../config/json.ts";

/**
 * A configuration as bytes for another process of this program. Not `v8.serialize`: that one writes
 * every view of the compiled texts as bytes of its own, which are one buffer here and stay one.
 */
export function packConfig(config: Config): Uint8Array {
  const serializer = new Serializer();
  serializer.writeHeader();
  serializer.writeValue(config);
  return serializer.releaseBuffer();
}

/** @throws Error when the bytes are not from {@link packConfig} */
export function unpackConfig(bytes: Uint8Array): Config {
  const deserializer = new Deserializer(bytes);
  deserializer.readHeader();
  const config: unknown = deserializer.readValue();
  if (!isConfig(config)) throw new Error("these bytes are no configuration");
  return freezeDeep(config);
}

/** Written by this very program, so that one field tells the whole. */
function isConfig(value: unknown): value is Config {
  return typeof value === "object" && value !== null && "hash" in value && "instances" in value;
}
