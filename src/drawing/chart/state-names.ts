/**
 * Generates unique state ids for one drawing. An id must be valid in Mermaid, in the DOM and as an
 * object key. Therefore an id is never a Mermaid keyword, a property name of `Object.prototype`, or
 * an id that Mermaid itself creates for `[*]`.
 */
export class StateNames {
  readonly #used = new Set<string>()
  /**
   * The numeric suffix to try first for each name, for example 3 if `writer` and `writer_2` are
   * used. Without this cache, generating ids for many states of the same name would take quadratic
   * time.
   */
  readonly #suffixes = new Map<string, number>()

  next(key: string): string {
    const base = safe(key)
    let suffix = this.#suffixes.get(base.toLowerCase()) ?? 1
    let name = suffix === 1 ? base : `${base}_${suffix}`
    while (this.#used.has(name.toLowerCase())) name = `${base}_${++suffix}`
    this.#suffixes.set(base.toLowerCase(), suffix)
    this.#used.add(name.toLowerCase())
    return name
  }
}

const keywords =
  "acctitle accdescr as choice class classdef click default direction end fork hide href join note root scale state statediagram style title"
const avoided = new Set(
  keywords
    .split(" ")
    .concat(Object.getOwnPropertyNames(Object.prototype).map((name) => name.toLowerCase())),
)

function safe(key: string): string {
  const plain = key.replace(/\W/g, "_")
  const word = /^[A-Za-z]/.test(plain) ? plain : `s_${plain}`
  return avoided.has(word.toLowerCase()) || /_(start|end)$/i.test(word) ? `${word}_` : word
}
