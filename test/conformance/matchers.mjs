const isText = (value) => typeof value === "string"
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value)
const show = (value) => (value === undefined ? "nothing" : JSON.stringify(value))
const parsed = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
/** Functions of (actual value, parameter of the matcher, options) that return whether the value matches. */
const matchers = {
  $any: (came) => came !== undefined,
  $absent: (came) => came === undefined,
  $bind: (came, name, { binds }) =>
    isText(came) && (binds.has(name) ? binds.get(name) === came : Boolean(binds.set(name, came))),
  $contains: (came, part) => isText(came) && came.includes(part),
  $containsAll: (came, parts) => isText(came) && parts.every((part) => came.includes(part)),
  $containsAllI: (came, parts) =>
    isText(came) && parts.every((part) => came.toLowerCase().includes(part.toLowerCase())),
  $containsNone: (came, parts) => isText(came) && !parts.some((part) => came.includes(part)),
  $subset: (came, value, options) =>
    differences(value, came, "", { ...options, subset: true }).length === 0,
  $jsonEquals: (came, value, options) =>
    isText(came) && differences(value, parsed(came), "", options).length === 0,
}

const matcherOf = (expected) =>
  (isText(expected)
    ? expected.startsWith("$") && expected.split(":")
    : isObject(expected) && Object.entries(expected).find(([key]) => key.startsWith("$"))) || []
/** Returns the differences, one per line. `subset`: objects may have more keys. `binds`: the texts of `$bind:x`. */
export function differences(expected, came, at, { subset = false, binds = new Map() } = {}) {
  const [options, differs] = [
    { subset, binds },
    [`${at}: expected ${show(expected)}, came ${show(came)}`],
  ]
  const [matcher, parameter] = matcherOf(expected)
  if (matcher && !Object.hasOwn(matchers, matcher))
    throw new Error(`${at}: unknown matcher ${matcher}`)
  if (matcher) return matchers[matcher](came, parameter, options) ? [] : differs
  if (Array.isArray(expected) && Array.isArray(came) && came.length === expected.length) {
    return expected.flatMap((value, index) =>
      differences(value, came[index], `${at}[${index}]`, options),
    )
  }
  if (!isObject(expected) || !isObject(came)) return expected === came ? [] : differs
  const own = (object, key, otherwise) => (Object.hasOwn(object, key) ? object[key] : otherwise)
  const keys = new Set([...Object.keys(expected), ...(subset ? [] : Object.keys(came))])
  return [...keys].flatMap((key) =>
    differences(own(expected, key, "$absent"), own(came, key), `${at}.${key}`, options),
  )
}
/** Whether each expected item matches a different actual item, in any order. Stores the binds of matching items. */
export const isPaired = ([first, ...others], came, { subset = false, binds = new Map() } = {}) =>
  first === undefined ||
  came.some((one, index) => {
    const options = { subset, binds: new Map(binds) }
    const fits =
      differences(first, one, "", options).length === 0 &&
      isPaired(others, came.toSpliced(index, 1), options)
    if (fits) for (const [name, value] of options.binds) binds.set(name, value)
    return fits
  })
/** Whether the names are in the expected order. The names in `{unordered: [...]}` may be in any order. */
export function isInOrder(wanted, came) {
  const [left, blocks] = [[...came], wanted.map((next) => [next.unordered ?? next].flat().sort())]
  return (
    blocks.every((block) => show(left.splice(0, block.length).sort()) === show(block)) &&
    left.length === 0
  )
}
/** Returns the forms in which a text may leak: unchanged, JSON-escaped once and twice, URL-encoded, base64 at every offset. */
export function disguises(text) {
  const [url, escaped] = [encodeURIComponent(text), (form) => JSON.stringify(form).slice(1, -1)]
  const sextets = (shift) => [
    Math.ceil((shift * 8) / 6),
    Math.floor(((shift + Buffer.byteLength(text)) * 8) / 6),
  ]
  const base64 = (form) =>
    [0, 1, 2].map((shift) =>
      Buffer.from("\0".repeat(shift) + text)
        .toString(form)
        .slice(...sextets(shift)),
    )
  const urls = [url, url.replaceAll("%20", "+"), url.replace(/%../g, (byte) => byte.toLowerCase())]
  return [
    ...new Set([
      text,
      escaped(text),
      escaped(escaped(text)),
      ...urls,
      ...base64("base64"),
      ...base64("base64url"),
    ]),
  ]
}
