import { useEffect, useState } from "preact/hooks";

/** The value once it has stayed the same for a moment. */
export function useSettled<T>(value: T): T {
  const [settled, change] = useState(value);
  const key = JSON.stringify(value);
  useEffect(() => {
    const later = setTimeout(() => change(value), moment);
    return () => clearTimeout(later);
  }, [key]);
  return settled;
}

/** Milliseconds in which somebody goes on typing. */
export const moment = 350;
