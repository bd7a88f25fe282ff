import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A component that is loaded when it is first shown. */
export type LaterComponent<Props> = (props: Props) => VNode | readonly VNode[] | null;

/** Loads a part of the page when it is first shown; null until it is there. */
export function useLater<Props>(load: () => Promise<LaterComponent<Props>>) {
  const [loaded, setLoaded] = useState<{ Part: LaterComponent<Props> | null }>({ Part: null });
  const [failed, setFailed] = useState(false);
  const again = (): void => {
    setFailed(false);
    load()
      .then((Part) => setLoaded({ Part }))
      .catch(() => setFailed(true));
  };
  useEffect(again, []);
  return { ...loaded, failed, again };
}
