/**
 * Assigns an index to each loop variable of a comprehension. At run time, the value of the variable
 * is stored at this index in the array of the evaluation frame. Generators are consumed
 * immediately, so no loop is active twice at the same time. Therefore one index for each variable
 * is sufficient.
 */
export class VariableScope {
  private readonly outer: VariableScope | null
  private readonly names = new Map<string, number>()
  private readonly counter: { slots: number }

  constructor(outer: VariableScope | null = null) {
    this.outer = outer
    this.counter = outer === null ? { slots: 0 } : outer.counter
  }

  get slots(): number {
    return this.counter.slots
  }

  declare(name: string): number {
    const known = this.names.get(name)
    if (known !== undefined) return known
    const slot = this.counter.slots++
    this.names.set(name, slot)
    return slot
  }

  lookup(name: string): number | undefined {
    return this.names.get(name) ?? this.outer?.lookup(name)
  }

  ownSlots(): readonly number[] {
    return Array.from(this.names.values())
  }
}
