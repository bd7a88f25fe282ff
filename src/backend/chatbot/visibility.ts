import type { ContentItem } from "../content/types.ts";

/** Who is looking, and when. */
export interface Audience {
  readonly environment: string;
  readonly userType: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * True when this content may be found, offered, related or called here and now. Hidden ones may:
 * they are only not found.
 */
export function isVisible(item: ContentItem, { environment, userType, now }: Audience): boolean {
  return (
    item.published &&
    (item.publishFrom === null || item.publishFrom <= now) &&
    (item.expires === null || now < item.expires) &&
    (item.userTypes.length === 0 || item.userTypes.includes(userType)) &&
    (item.environments.length === 0 || item.environments.includes(environment))
  );
}

/** True when it depends on who is looking, or on when, whether a published content is visible. */
export function isRestricted(item: ContentItem): boolean {
  return (
    item.publishFrom !== null ||
    item.expires !== null ||
    item.userTypes.length > 0 ||
    item.environments.length > 0
  );
}
