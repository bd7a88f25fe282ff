export function formatNumber(value: number, language: string): string {
  return new Intl.NumberFormat(language).format(value);
}

/** `Today`, `7 days`, `1 year` in the page's language. */
export function formatDays(days: number, language: string): string {
  const [count, unit] = days === 365 ? [1, "year"] : [days, "day"];
  const text =
    days === 1
      ? new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(0, "day")
      : new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);
  return text.slice(0, 1).toLocaleUpperCase(language) + text.slice(1);
}
