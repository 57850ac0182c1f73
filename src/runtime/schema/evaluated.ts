/** Which properties and items of a value some schema has looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Evaluated {
  readonly properties = new Set<string>()
  readonly items = new Set<number>()

  add(other: Evaluated): void {
    for (const key of other.properties) this.properties.add(key)
    for (const index of other.items) this.items.add(index)
  }
}
