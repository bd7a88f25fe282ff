/**
 * The parts that Afterword's own tests put behind and in front of a gateway.
 *
 * @module afterword/testing
 */
export { listFieldValues as fieldValues, type HttpMessage } from "./http-message.ts";
export {
  connectRaw as rawConnect,
  sendRawRequest as rawRequest,
  type RawAnswer,
  type RawConnection,
} from "./raw-client.ts";
export {
  startScriptedUpstream,
  type RecordedRequest,
  type ScriptedAnswer,
  type ScriptedBody,
  type ScriptedUpstream,
  type ScriptedUpstreamOptions,
} from "./scripted-upstream.ts";
