import type { Child } from "./instance.js"

/** The children of one machine by their ids, in the order in which they were started. Most machines have one at a time, for which a map would be dear. */
export class Children {
  #first: Child | null = null
  #others: Map<string, Child> | null = null

  get(id: string): Child | undefined {
    return this.#first?.id === id ? this.#first : this.#others?.get(id)
  }

  has(id: string): boolean {
    return this.get(id) !== undefined
  }

  /** There is none of this id. */
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
    const others = this.#others === null ? none : [...this.#others.values()]
    return this.#first === null ? others : [this.#first, ...others]
  }
}

const none: readonly Child[] = []
