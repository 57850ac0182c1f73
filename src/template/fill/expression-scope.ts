/**
 * Matches the JSONata operators and functions that can read a value without naming it, such as `$`,
 * `*` and `$lookup`.
 */
const readsByPosition = /\$(?![A-Za-z_])|[*%@]|\$(?:lookup|keys|spread|each|sift|merge)\b/

/**
 * Returns the values that an expression receives. The results of a graph can be large, so an
 * expression only receives the results whose names it contains, unless it can read values without
 * their names.
 */
export function scopeOf(
  source: string,
  scope: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { results } = scope
  if (typeof results !== "object" || results === null) return { ...scope }
  if (readsByPosition.test(source)) return { ...scope }
  const names = source.match(/\bresults\b/g)?.length ?? 0
  const paths = [...source.matchAll(/\bresults\s*\.\s*([A-Za-z_]\w*)/g)]
  if (paths.length < names) return { ...scope }
  const entries = paths.flatMap(([, key = ""]): readonly (readonly [string, unknown])[] =>
    Object.hasOwn(results, key) ? [[key, (results as Readonly<Record<string, unknown>>)[key]]] : [],
  )
  return { ...scope, results: Object.fromEntries(entries) }
}
