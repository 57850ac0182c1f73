import { expect, test } from "vitest"
import { chooseFaults } from "../../src/faults/choose-faults.js"
import type { FaultKind } from "../../src/faults/contract/fault.js"
import type { PossibleFault } from "../../src/faults/run/fault-positions.js"

const kinds = ["kill-before", "timeout", "reset", "answer-twice"] as const

const faultsOf = (kind: FaultKind, count: number): readonly [FaultKind, PossibleFault[]] => [
  kind,
  Array.from({ length: count }, (_, index) => ({ kind, index }) as unknown as PossibleFault),
]

const chosenPerKind = (counts: readonly number[], most: number): readonly number[] => {
  const chosen = chooseFaults(
    kinds.map((kind, index) => faultsOf(kind, counts[index] ?? 0)),
    null,
    most,
  )
  return kinds.map((kind) => chosen.filter((one) => one.kind === kind).length)
}

test.each([
  { counts: [4, 3, 2, 1], most: 10, chosen: [4, 3, 2, 1] },
  { counts: [100, 50, 50, 0], most: 20, chosen: [10, 5, 5, 0] },
  { counts: [97, 1, 1, 1], most: 10, chosen: [7, 1, 1, 1] },
  { counts: [5, 5, 5, 5], most: 2, chosen: [1, 1, 0, 0] },
  { counts: [5, 0, 5, 5], most: 1, chosen: [1, 0, 0, 0] },
])("at most $most of $counts faults are chosen: $chosen", ({ counts, most, chosen }) => {
  expect(chosenPerKind(counts, most)).toEqual(chosen)
})
