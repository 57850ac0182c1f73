import { decompose } from "./decimal-expansion.js"
import { amountOf, type Value } from "./values.js"

/**
 * The order in which Python walks through a set of numbers: that of its hash table. Texts hash differently in every
 * Python process, so a set that holds one keeps the order of insertion.
 *
 * A display of constants is built at compile time, twice, and copied from there.
 */
export function setOrder(items: readonly Value[], isConstantDisplay: boolean): readonly Value[] {
  if (items.length < 2 || !items.every(isOrdered)) return items
  const table = grown(new Table(8), items)
  if (!isConstantDisplay) return table.items()
  const again = grown(new Table(8), table.items())
  const copy = copied(again.items())
  return copy.size === again.size ? again.items() : copy.items()
}

/** The order of a union: a copy of the left set, to which the right one is added. */
export function unionOrder(left: readonly Value[], right: readonly Value[], rightIsSet: boolean, isNew: (item: Value) => boolean): readonly Value[] | null {
  if (!left.every(isOrdered) || !right.every(isOrdered)) return null
  let table = copied(left)
  const most = left.length + right.length
  if (rightIsSet && right.length > 0 && most * 5 >= (table.size - 1) * 3) table = table.resized(most * 2)
  const added: Value[] = []
  for (const item of right) if (isNew(item)) added.push(item)
  return grown(table, added).items()
}

function isOrdered(item: Value): boolean {
  const amount = amountOf(item)
  return amount !== undefined && !Number.isNaN(amount)
}

/** Items one by one, into a table that grows to four times their number when it is three fifths full. */
function grown(start: Table, items: readonly Value[]): Table {
  let table = start
  for (const item of items) {
    table.insert({ item, hash: numberHash(amountOf(item)!) })
    if (table.count * 5 >= (table.size - 1) * 3) table = table.resized(table.count * 4)
  }
  return table
}

/** Items all at once, from another set: the table is smaller than one that grew. */
function copied(items: readonly Value[]): Table {
  const table = new Table(8).resized(items.length < 5 ? 0 : items.length * 2)
  for (const item of items) table.insert({ item, hash: numberHash(amountOf(item)!) })
  return table
}

interface Slot {
  readonly item: Value
  /** 64 bits, unsigned. */
  readonly hash: bigint
}

class Table {
  readonly size: number
  count = 0
  private readonly slots: (Slot | undefined)[]

  constructor(size: number) {
    this.size = size
    this.slots = Array.from({ length: size })
  }

  /** Looks at ten slots in a row where they fit, then jumps, more and more bits of the hash deciding where to. */
  insert(slot: Slot): void {
    const mask = this.size - 1
    let perturb = slot.hash
    let index = Number(slot.hash & BigInt(mask))
    for (;;) {
      const last = index + 9 <= mask ? index + 9 : index
      for (let probe = index; probe <= last; probe++) {
        if (this.slots[probe] === undefined) {
          this.slots[probe] = slot
          this.count++
          return
        }
      }
      perturb >>= 5n
      index = Number((BigInt(index) * 5n + 1n + perturb) & BigInt(mask))
    }
  }

  resized(least: number): Table {
    let size = 8
    while (size <= least) size *= 2
    if (size === this.size) return this
    const table = new Table(size)
    for (const slot of this.slots) if (slot !== undefined) table.insert(slot)
    return table
  }

  items(): readonly Value[] {
    const items: Value[] = []
    for (const slot of this.slots) if (slot !== undefined) items.push(slot.item)
    return items
  }
}

const modulus = (1n << 61n) - 1n

/** Python's hash of a number: its remainder by a prime, for fractions too, where 2 ** -1 is 2 ** 60. */
function numberHash(amount: number | bigint): bigint {
  let hash: bigint
  if (typeof amount === "bigint" || Number.isSafeInteger(amount)) {
    const integer = BigInt(amount)
    hash = (integer < 0n ? -integer : integer) % modulus
  } else if (!Number.isFinite(amount)) {
    hash = 314159n
  } else {
    const { mantissa, exponent } = decompose(amount)
    hash = (mantissa << BigInt(((exponent % 61) + 61) % 61)) % modulus
  }
  if (amount < 0) hash = -hash
  return BigInt.asUintN(64, hash === -1n ? -2n : hash)
}
