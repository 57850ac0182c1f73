/**
 * Matches the JSONata operators and functions that can read a value without its name, such as `$`,
 * `*` and `$lookup`.
 */
const readsByPosition = /\$(?![A-Za-z_])|[*%@]|\$(?:lookup|keys|spread|each|sift|merge)\b/

/**
 * Returns the values that a JSONata expression receives as its input. The value `results` (the
 * results of all nodes of a workflow graph) can be large. Therefore the input contains only those
 * results whose names occur in the expression. If the expression can read values without their
 * names, the input contains all results.
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
