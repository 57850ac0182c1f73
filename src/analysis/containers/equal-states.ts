import type { BranchEdge } from "./branch.js"

/**
 * Maximum number of states to compare with each other. If a branch has more states, none of them
 * are merged into a class, because the comparison would be slow.
 */
const maxStates = 20_000

/**
 * Returns the index of the equivalence class of each state of a parallel branch. From all states of
 * a class, the same policy-relevant effects are possible in the same order, with the same ends.
 */
export function equalStates(
  edges: readonly (readonly BranchEdge[])[],
  pauses: readonly (readonly BranchEdge[])[],
  waits: readonly boolean[],
): readonly number[] {
  if (edges.length > maxStates) return [...edges.keys()]
  const labels = new Map<string, number>()
  const numberOf = (known: Map<string, number>, text: string): number => {
    const found = known.get(text) ?? known.size
    known.set(text, found)
    return found
  }
  const labelOf = ({ effects, end }: BranchEdge): number =>
    numberOf(
      labels,
      JSON.stringify([
        effects.flatMap((effect) => (effect.type === "steps" ? effect.visible : [effect])),
        end,
      ]),
    )
  const steps = edges.map((own, state) => [
    ...own.map((edge) => [labelOf(edge), edge.to] as const),
    ...(pauses[state] ?? []).map((edge) => [`pause ${labelOf(edge)}`, edge.to] as const),
  ])
  let classes: readonly number[] = waits.map(Number)
  for (let count = 0; ;) {
    const keys = new Map<string, number>()
    const next = steps.map((own, state) => {
      const followed = new Set(
        own.map(([label, to]) => `${label}>${to === null ? "" : classes[to]}`),
      )
      return numberOf(keys, `${classes[state]} ${[...followed].sort().join()}`)
    })
    if (keys.size === count) return next
    count = keys.size
    classes = next
  }
}
