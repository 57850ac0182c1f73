import type { BranchEdge } from "./branch.js"

/**
 * Maximum number of states to compare. If a branch has more states, each state is its own class,
 * because the comparison would be slow.
 */
const mostStates = 20_000

/**
 * Returns the equivalence class of each state of a parallel branch. States in the same class have
 * the same future, which means the same policy-relevant effects in the same order, and the same
 * ends.
 */
export function equalStates(
  edges: readonly (readonly BranchEdge[])[],
  pauses: readonly (readonly BranchEdge[])[],
  waits: readonly boolean[],
): readonly number[] {
  if (edges.length > mostStates) return [...edges.keys()]
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
