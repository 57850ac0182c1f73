/**
 * A map that needs little memory if it has at most one entry. Entries are in insertion order. The
 * first entry is stored without a hash table, because a table takes 150 bytes, and JavaScript
 * replaces the table of a `Map` whenever its last entry is deleted.
 */
export class SmallMap<Key, Value extends object> {
  #key: Key | null = null
  /**
   * Value of the first entry, which is stored in fields and not in a hash table. null if the fields
   * contain no entry.
   */
  #value: Value | null = null
  #others: Map<Key, Value> | null = null

  get size(): number {
    return (this.#value === null ? 0 : 1) + (this.#others?.size ?? 0)
  }

  get(key: Key): Value | undefined {
    return this.#value !== null && this.#key === key ? this.#value : this.#others?.get(key)
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined
  }

  /** Adds an entry. The map must not contain the key yet. */
  add(key: Key, value: Value): void {
    if (this.size > 0) {
      this.#others ??= new Map()
      this.#others.set(key, value)
      return
    }
    this.#key = key
    this.#value = value
  }

  delete(key: Key): void {
    if (this.#value === null || this.#key !== key) this.#others?.delete(key)
    else this.#key = this.#value = null
  }

  /** Returns all values in insertion order. */
  values(): readonly Value[] {
    const others = this.#others === null ? [] : [...this.#others.values()]
    return this.#value === null ? others : [this.#value, ...others]
  }
}
