import { useEffect, useState } from "preact/hooks";

/** Milliseconds since the epoch, anew after each interval while `running`. */
export function useNow(interval: number, running = true): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!running) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), interval);
    return () => clearInterval(timer);
  }, [interval, running]);
  return now;
}
