import { AgentStatechartsError } from "../../errors.js"
import { keyInToken } from "../../machines/data/json-pointer.js"

type Schema = Readonly<Record<string, unknown>>

/** Schema keywords whose values are data, so they contain no subschemas. */
const data = new Set(["const", "enum", "default", "examples", "required", "type"])

const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Finds the targets of the `$ref` keywords in a JSON Schema by `$id`, by `$anchor`, or by JSON
 * pointer.
 */
export class SchemaReferences {
  readonly #documents = new Map<string, unknown>()
  readonly #anchors = new Map<string, unknown>()
  readonly #bases = new WeakMap<object, string>()
  readonly #resolved = new Map<string, unknown>()

  constructor(root: Schema) {
    this.#documents.set(outermost, root)
    this.#index(root, outermost)
  }

  /**
   * Returns the subschema to which the `$ref` keyword in the schema `from` refers. Throws
   * `schema_violated` if the subschema does not exist.
   */
  resolve(reference: string, from: object): unknown {
    const base = this.#bases.get(from) ?? outermost
    const key = `${base} ${reference}`
    if (this.#resolved.has(key)) return this.#resolved.get(key)
    const found = this.#find(new URL(reference, base))
    if (found === undefined)
      throw new AgentStatechartsError(
        "schema_violated",
        `the $ref "${reference}" does not lead to any part of the schema`,
      )
    this.#resolved.set(key, found)
    return found
  }

  #find(url: URL): unknown {
    const fragment = decodeURIComponent(url.hash.slice(1))
    url.hash = ""
    if (fragment !== "" && !fragment.startsWith("/"))
      return this.#anchors.get(`${url.href}#${fragment}`)
    let found = this.#documents.get(url.href)
    for (const step of fragment.split("/").slice(1)) {
      const key = keyInToken(step)
      if (typeof found !== "object" || found === null || !Object.hasOwn(found, key))
        return undefined
      found = (found as Schema)[key]
    }
    return found
  }

  #index(value: unknown, base: string): void {
    if (Array.isArray(value)) {
      for (const entry of value) this.#index(entry, base)
      return
    }
    if (!isObject(value)) return
    const { $id, $anchor, $dynamicAnchor } = value
    let own = base
    if (typeof $id === "string") {
      const url = new URL($id, base)
      if (url.hash.length > 1) this.#anchors.set(url.href, value)
      else {
        url.hash = ""
        own = url.href
        this.#documents.set(own, value)
      }
    }
    this.#bases.set(value, own)
    for (const anchor of [$anchor, $dynamicAnchor])
      if (typeof anchor === "string") this.#anchors.set(`${own}#${anchor}`, value)
    for (const [key, inner] of Object.entries(value)) if (!data.has(key)) this.#index(inner, own)
  }
}

const outermost = "schema://root/"
