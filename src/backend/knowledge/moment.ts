/** Milliseconds since the epoch as this wire writes a moment: `YYYYMMDDhhmmss`, in UTC. */
export function toMoment(at: number): string {
  const written = new Date(at).toISOString();
  return written
    .replace(/\.\d+Z$/, "")
    .replaceAll(/\D/g, "")
    .slice(-14);
}
