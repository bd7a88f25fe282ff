import type { TextFormat } from "./types.ts";

/**
 * Gives the format of a channel's texts.
 *
 * @param formats by channel; `""` is for all others. The name of a channel may come from a request.
 */
export function formatOf(
  formats: Readonly<Record<string, TextFormat>>,
  channel: string,
): TextFormat {
  const own = Object.hasOwn(formats, channel) ? formats[channel] : undefined;
  return own ?? formats[""] ?? "html";
}
