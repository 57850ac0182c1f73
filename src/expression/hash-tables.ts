import type { Budget } from "./budget.js"
import { type HashKey, hashKey } from "./hash-key.js"
import { setOrder } from "./set-order.js"
import type { Dict, SetValue, Value } from "./values.js"

interface Entry {
  readonly key: Value
  value: Value
}

/** A dict that an expression made: in order of insertion, the first of equal keys kept. */
export class HashDict implements Dict {
  readonly kind = "dict"
  private readonly entries = new Map<HashKey, Entry>()

  size(): number {
    return this.entries.size
  }

  get(key: Value): Value | undefined {
    return this.entries.get(hashKey(key))?.value
  }

  set(key: Value, value: Value, budget: Budget): void {
    const hash = readKey(key, budget)
    const entry = this.entries.get(hash)
    if (entry !== undefined) {
      entry.value = value
      return
    }
    this.entries.set(hash, { key, value })
    budget.collection(this.entries.size)
  }

  keys(): readonly Value[] {
    return Array.from(this.entries.values(), (entry) => entry.key)
  }
}

export class HashSet implements SetValue {
  readonly kind = "set"
  private readonly items = new Map<HashKey, Value>()
  private readonly isConstantDisplay: boolean
  private ordered: readonly Value[] | undefined

  constructor(isConstantDisplay = false) {
    this.isConstantDisplay = isConstantDisplay
  }

  size(): number {
    return this.items.size
  }

  has(item: Value): boolean {
    return this.items.has(hashKey(item))
  }

  add(item: Value, budget: Budget): void {
    const hash = readKey(item, budget)
    if (this.items.has(hash)) return
    this.items.set(hash, item)
    this.ordered = undefined
    budget.collection(this.items.size)
  }

  delete(item: Value): void {
    this.ordered = undefined
    this.items.delete(hashKey(item))
  }

  /** Gives the items an order that differs from that of their insertion. */
  arrange(order: readonly Value[]): void {
    this.ordered = order
  }

  toArray(): readonly Value[] {
    this.ordered ??= setOrder(Array.from(this.items.values()), this.isConstantDisplay)
    return this.ordered
  }
}

export function makeSet(items: Iterable<Value>, budget: Budget, isConstantDisplay = false): HashSet {
  const set = new HashSet(isConstantDisplay)
  for (const item of items) set.add(item, budget)
  return set
}

function readKey(key: Value, budget: Budget): HashKey {
  const hash = hashKey(key)
  if (typeof hash !== "string") return hash
  if (typeof key === "string") budget.read(key)
  else budget.spend(hash.length / 8)
  return hash
}
