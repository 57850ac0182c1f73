import "./value-view.css"

/**
 * Maximum nesting depth of values that are shown as lists of fields. Deeper values are shown as
 * JSON text.
 */
const maxDepth = 4

/** Number of entries of an object or array that are shown until the user clicks to show more. */
const maxEntries = 50

/** Component that shows a JSON value. Objects and arrays are shown as lists of fields. */
export function ValueView({
  value,
  depth = 0,
}: {
  readonly value: unknown
  readonly depth?: number
}) {
  if (typeof value === "string") return <span class="value is-text">{value}</span>
  if (typeof value !== "object" || value === null)
    return <span class="value">{JSON.stringify(value) ?? "–"}</span>
  const entries = Object.entries(value)
  if (entries.length === 0) return <span class="value">{Array.isArray(value) ? "[]" : "{}"}</span>
  if (depth >= maxDepth) return <span class="value">{JSON.stringify(value)}</span>
  return (
    <dl class="fields">
      {entries.slice(0, maxEntries).map(([name, field]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <ValueView value={field} depth={depth + 1} />
          </dd>
        </div>
      ))}
      {entries.length > maxEntries && (
        <div>
          <dt>…</dt>
          <dd>
            <details>
              <summary>{entries.length - maxEntries} more</summary>
              <pre tabIndex={0}>
                {JSON.stringify(
                  Array.isArray(value)
                    ? value.slice(maxEntries)
                    : Object.fromEntries(entries.slice(maxEntries)),
                  null,
                  2,
                )}
              </pre>
            </details>
          </dd>
        </div>
      )}
    </dl>
  )
}

/**
 * Describes a JSON value in one line, for example `city: Tokyo, guests: 2`. A text that is longer
 * than `maxLength` is truncated.
 */
export function briefly(value: unknown, maxLength = 140): string {
  const text = inWords(value, maxLength)
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
}

function inWords(value: unknown, maxLength: number): string {
  if (typeof value === "string") return value.slice(0, maxLength + 1).replaceAll(/\s+/g, " ")
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? ""
  const parts: string[] = []
  let length = 0
  for (const [name, field] of Object.entries(value)) {
    const words =
      typeof field === "object" && field !== null ? nested(field) : inWords(field, maxLength)
    parts.push(Array.isArray(value) ? words : `${name}: ${words}`)
    length += words.length + name.length
    if (length > maxLength) break
  }
  return parts.join(", ")
}

const nested = (value: object): string =>
  Array.isArray(value)
    ? `[${value.length} ${value.length === 1 ? "item" : "items"}]`
    : `{${Object.keys(value).slice(0, 4).join(", ")}}`
