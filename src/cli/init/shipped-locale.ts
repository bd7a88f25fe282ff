import { createNegotiator } from "../../locales/negotiate.ts";
import { LOCALES } from "../../locales/shipped.ts";

/**
 * The shipped table that serves readers of a tag, or null when only the default would.
 *
 * @example
 * shippedLocale("zh_TW"); // "zh-Hant"
 */
export function shippedLocale(tag: string): string | null {
  const { locale, reason } = negotiate({ header: tag });
  return reason === "default" ? null : locale;
}

const negotiate = createNegotiator({
  channels: { "": Object.fromEntries(LOCALES.map((locale) => [locale, { locale, lines: {} }])) },
  chains: {},
  fallback: "en",
});
