/**
 * Returns a JSON value as indented TypeScript source. `indent` is the indentation of the current
 * line. Every object key is supported, even `__proto__`.
 */
export function literal(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return text(value)
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).flatMap(([key, item]) =>
        item === undefined ? [] : [`${keyOf(key)}: ${literal(item, inner)}`],
      )
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"]
  if (parts.length === 0) return open + close
  const short = `${open} ${parts.join(", ")} ${close}`
  if (short.length <= 100 && !short.includes("\n"))
    return Array.isArray(value) ? `[${parts.join(", ")}]` : short
  return `${open}\n${parts.map((part) => `${inner}${part},`).join("\n")}\n${indent}${close}`
}

const keyOf = (key: string): string => {
  if (key === "__proto__") return '["__proto__"]'
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : text(key)
}

/**
 * Returns a value as JSON in which the line separators U+2028 and U+2029 are escaped. Without the
 * escapes, they would end a line comment in JavaScript.
 */
const text = (value: unknown): string =>
  (JSON.stringify(value) ?? "undefined").replace(
    /[\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16)}`,
  )
