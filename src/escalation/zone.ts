/** What a clock on the wall of a zone shows. */
export interface WallClock {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** ISO: 1 is Monday. */
  readonly weekday: number;
  /** Whole minutes since midnight. */
  readonly minute: number;
}

/** @param now milliseconds since the epoch */
export function wallClock(zone: string, now: number): WallClock {
  return clockOf(now + offsetAt(zone, now));
}

/**
 * How far a zone's clocks are ahead of UTC at an instant, in milliseconds: whole seconds, since
 * older rules have some.
 */
export function offsetAt(zone: string, now: number): number {
  const fields = new Map<string, number>();
  for (const { type, value } of formatOf(zone).formatToParts(now)) fields.set(type, Number(value));
  const field = (name: string): number => fields.get(name) ?? 0;
  const shown = Date.UTC(
    field("year"),
    field("month") - 1,
    field("day"),
    field("hour"),
    field("minute"),
    field("second"),
  );
  return shown - Math.floor(now / 1000) * 1000;
}

/** The first instant of the later offset between two instants with different ones. */
export function transitionIn(zone: string, from: number, to: number): number {
  const after = offsetAt(zone, to);
  let low = from;
  let high = to;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle) === after) high = middle;
    else low = middle;
  }
  return high;
}

export const DAY = 86_400_000;
export const MINUTE = 60_000;

/** The clock that shows a moment of UTC. */
export function clockOf(moment: number): WallClock {
  const days = Math.floor(moment / DAY);
  return {
    date: new Date(days * DAY).toISOString().slice(0, 10),
    // 1970-01-01 was a Thursday.
    weekday: ((((days + 3) % 7) + 7) % 7) + 1,
    minute: Math.floor((moment - days * DAY) / MINUTE),
  };
}

// Zones come from the configuration: a small closed set.
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(zone, made);
  return made;
}
