/**
 * Returns the hint for each name. The keys of `hints` are the hints, the values the names that they
 * apply to, separated by spaces.
 */
export function hintTable(hints: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(hints).flatMap(([hint, names]) =>
      names.split(" ").map((name) => [name, hint] as const),
    ),
  )
}

/** Replaces every `$` in a hint by the source of the value. */
export function fillHint(hint: string, value: string): string {
  return hint.replaceAll("$", () => value)
}
