import type { SchemaMeter } from "./schema-meter.js"

/**
 * The properties and items of a value that the keywords of its schema have validated so far. The
 * keywords `unevaluatedProperties` and `unevaluatedItems` validate all other properties and items.
 */
export class Evaluated {
  readonly properties = new Set<string>()
  readonly items = new Set<number>()

  add(other: Evaluated, meter: SchemaMeter): void {
    meter.spend(other.properties.size + other.items.size)
    for (const key of other.properties) this.properties.add(key)
    for (const index of other.items) this.items.add(index)
  }
}
