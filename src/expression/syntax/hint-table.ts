/**
 * Converts a table of hints to a map from a name to its hint. In `hints`, each key is a hint, and
 * its value lists the names to which the hint applies, separated by spaces.
 */
export function hintTable(hints: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(hints).flatMap(([hint, names]) =>
      names.split(" ").map((name) => [name, hint] as const),
    ),
  )
}

/**
 * Replaces every `$` in a hint with the source of the value. For example, `Write len($)` becomes
 * `Write len(items)`.
 */
export function fillHint(hint: string, value: string): string {
  return hint.replaceAll("$", () => value)
}
