import { decodeString } from "./text.ts";
import type { Shape } from "./types.ts";

/** A compiled shape, for many scans. Other folders do not read its members. */
export interface CompiledShape {
  /** The members with a plain name, by its length in bytes with the quotes. */
  readonly byLength: readonly (readonly Member[] | undefined)[];
  readonly byName: ReadonlyMap<string, Member>;
  /** The shape of all other members; null if they are skipped. */
  readonly each: CompiledShape | null;
  readonly items: CompiledShape | null;
  /** False if no member can be captured, so that the scan skips the whole object. */
  readonly opensObjects: boolean;
}

export interface Member {
  readonly name: string;
  /** The name as JSON writes it without escapes, quotes included. */
  readonly spelling: Uint8Array;
  readonly shape: CompiledShape;
}

/**
 * Compiles a shape. Names may be any string, `__proto__` and lone surrogates included.
 *
 * @example
 * const ANSWER = compileShape({ fields: { flags: { items: {} }, message: {} } });
 */
export function compileShape(shape: Shape): CompiledShape {
  const byName = new Map<string, Member>();
  const byLength: (Member[] | undefined)[] = [];
  for (const [name, child] of Object.entries(shape.fields ?? {})) {
    const spelling = new TextEncoder().encode(`"${name}"`);
    const member: Member = { name, spelling, shape: compileShape(child) };
    byName.set(name, member);
    if (!PLAIN_NAME.test(name)) continue;
    while (byLength.length <= spelling.length) byLength.push(undefined);
    byLength[spelling.length] = [...(byLength[spelling.length] ?? []), member];
  }
  const each = shape.each === undefined ? null : compileShape(shape.each);
  return {
    byLength,
    byName,
    each,
    items: shape.items === undefined ? null : compileShape(shape.items),
    opensObjects: byName.size > 0 || each !== null,
  };
}

/** Matches ASCII that JSON need not escape. Other names are found by their decoded text. */
const PLAIN_NAME = /^[ !#-[\]-\u007f]*$/;

/** Finds the member with the plain name between two offsets, quotes included; null to skip it. */
export function findPlainMember(
  shape: CompiledShape,
  bytes: Uint8Array,
  start: number,
  end: number,
): Member | null {
  const length = end - start;
  const members = length < shape.byLength.length ? shape.byLength[length] : undefined;
  if (members !== undefined) {
    for (const member of members) if (isSpelled(member.spelling, bytes, start)) return member;
  }
  return shape.each === null ? null : findNamedMember(shape, decodeString(bytes, start, end));
}

/** Finds the member with a decoded name; null to skip it. */
export function findNamedMember(shape: CompiledShape, name: string): Member | null {
  const member = shape.byName.get(name);
  if (member !== undefined) return member;
  return shape.each === null ? null : { name, spelling: NO_BYTES, shape: shape.each };
}

const NO_BYTES = new Uint8Array(0);

/** Compares from the end, where names of one length differ sooner. Both begin and end with a quote. */
function isSpelled(spelling: Uint8Array, bytes: Uint8Array, start: number): boolean {
  let k = spelling.length - 2;
  while (k > 0 && bytes[start + k] === spelling[k]) k--;
  return k === 0;
}
