/** A segment of a path as text: a `%` that codes nothing stands for itself. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
