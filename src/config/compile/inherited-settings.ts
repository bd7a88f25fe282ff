/** Returns the inherited settings, changed by those that are written. */
export function withWritten<Settings extends object>(
  inherited: Settings,
  written: { readonly [Name in keyof Settings]?: Settings[Name] | undefined },
): Settings {
  const given = Object.entries(written).filter(([, value]) => value !== undefined);
  return { ...inherited, ...Object.fromEntries(given) };
}
