import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A component that is loaded when it is first shown. */
export type LaterComponent<Props> = (props: Props) => VNode | readonly VNode[] | null;

/** The state of such a component. */
export interface LaterPart<Props> {
  /** Null if its scripts are not loaded yet. */
  readonly Part: LaterComponent<Props> | null;
  /** True if its scripts could not be loaded. */
  readonly failed: boolean;
  /** Loads them again. */
  readonly again: () => void;
}

/** Loads a part of the page when it is first shown. */
export function useLater<Props>(load: () => Promise<LaterComponent<Props>>): LaterPart<Props> {
  const [loaded, setLoaded] = useState<Pick<LaterPart<Props>, "Part">>({ Part: null });
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
