/**
 * Compares two digests of one length without telling by its duration where they differ. Of keys
 * only the digests are compared, so that neither their length nor their first letters show.
 */
export function equalDigests(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ (b.charCodeAt(i) || 0);
  return difference === 0;
}
