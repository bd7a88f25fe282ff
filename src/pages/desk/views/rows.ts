/** Finds the next ticket in the list that waits for an answer, after the open one. Else the list. */
export function findNextTicket(): string {
  const { rows, at } = readRows();
  const others = [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0))];
  return others.find((row) => row.matches(".ticket-row.unread"))?.hash ?? "#tickets";
}

/** Reads the rows of the shown list, and the index of the open one, which is -1 if none is open. */
export function readRows(): { readonly rows: readonly HTMLAnchorElement[]; readonly at: number } {
  const rows = [...document.querySelectorAll<HTMLAnchorElement>(".list a.row")];
  return { rows, at: rows.findIndex((row) => row.ariaCurrent === "true") };
}
