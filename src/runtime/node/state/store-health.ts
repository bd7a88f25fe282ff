import type { Logger } from "../../../gateway/exchange/platform.ts";

/** Logs once when a store stops working, and once when it works again. */
export interface StoreHealth {
  /** @param detail a code or a few words, without a key, text or secret */
  failed(detail: string): void;
  works(): void;
}

/** @param store names it for the operator: a file, or an address without user and password */
export function createStoreHealth(log: Logger, store: string): StoreHealth {
  let failing = false;
  return {
    failed(detail) {
      if (failing) return;
      failing = true;
      log("warn", "state-store-failing", { store, detail });
    },
    works() {
      if (!failing) return;
      failing = false;
      log("info", "state-store-working", { store });
    },
  };
}
