/** Finds the address of the next ticket of the list that waits, the open one aside; else the list's. */
export function findNextTicket(): string {
  const { rows, at } = readRows();
  const others = [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0))];
  return others.find((row) => row.matches(".ticket-row.unread"))?.hash ?? "#tickets";
}

/** The rows of the list that is shown, and the position of the open one; -1: none is open. */
export function readRows(): { readonly rows: readonly HTMLAnchorElement[]; readonly at: number } {
  const rows = [...document.querySelectorAll<HTMLAnchorElement>(".list a.row")];
  return { rows, at: rows.findIndex((row) => row.ariaCurrent === "true") };
}
