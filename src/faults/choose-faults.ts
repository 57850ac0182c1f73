import type { FaultKind } from "./contract/fault.js"
import type { PossibleFault } from "./run/fault-positions.js"

type FaultsByKind = readonly (readonly [FaultKind, readonly PossibleFault[]])[]

/**
 * Chooses at most `most` of the possible faults. If more are possible, each kind gets a share in
 * proportion to its number of faults, and at least one fault. The chosen faults are spread evenly
 * over the run. If `most` is less than the number of kinds, the last kinds get none. If `index` is
 * not null, chooses only the fault with this index of each kind.
 */
export function chooseFaults(
  possible: FaultsByKind,
  index: number | null,
  most: number,
): readonly PossibleFault[] {
  if (index !== null) return possible.flatMap(([, faults]) => faults.slice(index, index + 1))
  const total = possible.reduce((sum, [, faults]) => sum + faults.length, 0)
  if (total <= most) return possible.flatMap(([, faults]) => faults)
  const shares = sharesOf(
    possible.map(([, faults]) => faults.length),
    most,
  )
  return possible.flatMap(([, faults], index) => spread(faults, shares[index] ?? 0))
}

/**
 * Returns the number of faults to inject for each kind, in the order of `counts`. The sum is at
 * most `most`, which must be less than the sum of `counts`.
 */
function sharesOf(counts: readonly number[], most: number): readonly number[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const shares = counts.map((count) =>
    count === 0 ? 0 : Math.max(1, Math.floor((count * most) / total)),
  )
  const sum = shares.reduce((all, share) => all + share, 0)
  // Shares that were raised to one fault are taken from the largest shares.
  for (let excess = sum - most; excess > 0; excess--) {
    const largest = Math.max(...shares)
    shares[shares.lastIndexOf(largest)] = largest - 1
  }
  return shares
}

/** Returns `count` items that are spread evenly over a list. */
const spread = <Item>(items: readonly Item[], count: number): readonly Item[] =>
  items.filter(
    (_, index) =>
      Math.floor((index * count) / items.length) !==
      Math.floor(((index - 1) * count) / items.length),
  )
