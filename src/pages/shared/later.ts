import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A component that is loaded when it is first shown. */
export type LaterComponent<Props> = (props: Props) => VNode | readonly VNode[] | null;

/**
 * Loads a part of the page when it is first shown; null until it is there. After an update, the
 * service no longer has the scripts of a page that was loaded before: `again` loads the whole page.
 */
export function useLater<Props>(load: () => Promise<LaterComponent<Props>>) {
  const [loaded, setLoaded] = useState<{ Part: LaterComponent<Props> | null }>({ Part: null });
  const [failed, setFailed] = useState(false);
  const begin = async (): Promise<boolean> => {
    setFailed(false);
    try {
      const Part = await load();
      setLoaded({ Part });
      return true;
    } catch {
      setFailed(true);
      return false;
    }
  };
  const again = async (): Promise<void> => {
    if ((await begin()) || !(await isReachable())) return;
    location.reload();
  };
  useEffect(() => void begin(), []);
  return { ...loaded, failed, again };
}

function isReachable(): Promise<boolean> {
  return fetch(location.pathname, { method: "HEAD" }).then(
    ({ ok }) => ok,
    () => false,
  );
}
