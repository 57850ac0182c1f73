import type { ParallelControl } from "./block-rules.js"
import type { Branch, BranchEdge } from "./branch.js"

type BranchStates = ParallelControl["branches"]

/**
 * Returns the indexes of the parallel branches that can start next. Branches start in order, but a
 * container can start before an agent with a lower index. Containers are states of the machine and
 * start first, because agents are separate actors.
 */
export function nextToStart(
  states: BranchStates,
  branches: readonly Branch[],
  free: number,
  areCopies: boolean,
): readonly number[] {
  const waiting = states.flatMap((state, index) => (state === "new" ? [index] : [])).slice(0, free)
  const [first] = waiting
  if (first === undefined) return []
  // The order of a branch without relevant steps does not matter.
  const silent = waiting.find((index) => branches[index]?.isSilent === true)
  if (silent !== undefined || areCopies) return [silent ?? first]
  const container = waiting.find((index) => branches[index]?.startsActor === false)
  return container === undefined || container === first ? [first] : [first, container]
}

/**
 * Returns the steps that a running branch takes without a response of a model, a tool or a person.
 * The branch can take such a step before another branch starts.
 */
export const instantEdges = (
  branch: Branch | undefined,
  state: BranchStates[number],
): readonly BranchEdge[] =>
  typeof state === "number"
    ? (branch?.edges[state] ?? []).filter(({ records }) => records === 0)
    : []
