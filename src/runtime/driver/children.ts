/**
 * The children of one machine by id, oldest first. Most machines have one child at a time, so the
 * first child is stored without a map to save memory.
 */
export class Children<Child extends { readonly id: string }> {
  #first: Child | null = null
  #others: Map<string, Child> | null = null

  get(id: string): Child | undefined {
    return this.#first?.id === id ? this.#first : this.#others?.get(id)
  }

  has(id: string): boolean {
    return this.get(id) !== undefined
  }

  /** Adds a child. The id of the child must not be in use. */
  add(child: Child): void {
    if (this.#first === null && (this.#others === null || this.#others.size === 0))
      this.#first = child
    else (this.#others ??= new Map()).set(child.id, child)
  }

  delete(id: string): void {
    if (this.#first?.id === id) this.#first = null
    else this.#others?.delete(id)
  }

  all(): readonly Child[] {
    const others = this.#others === null ? [] : [...this.#others.values()]
    return this.#first === null ? others : [this.#first, ...others]
  }
}
