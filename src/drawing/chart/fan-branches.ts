import { isTurnMachine } from "../../machines/registry/turn-machines.js"
import type { ChartInvoke } from "../../machines/contract/chart-machine.js"
import type { Level, PictureState } from "../picture/picture.js"
import type { StateNames } from "./state-names.js"

/**
 * Maximum number of branches of a parallel block in a drawing. If a block has more branches, 11 of
 * them and a state with the number of omitted branches are drawn.
 */
const maxBranches = 12

/**
 * Returns the drawing of each branch of a parallel block with many branches, as states and arrows.
 * A machine of the type `fan` executes such a block, and `invoke` is the call of this machine. The
 * callback `leaf` draws a branch with a single agent. The callback `machine` draws the machine of
 * any other branch, by its key in the chart.
 */
export function fanBranches(
  invoke: ChartInvoke | undefined,
  { names, everyBranch }: { readonly names: StateNames; readonly everyBranch: boolean },
  leaf: (id: string, agent: string) => PictureState,
  machine: (key: string) => Level,
): readonly Level[] {
  const branches = branchesOf(invoke)
  const drawn = branches.slice(
    0,
    everyBranch ? branches.length : branches.length > maxBranches ? maxBranches - 1 : maxBranches,
  )
  const regions = drawn.map(({ agent, src }): Level =>
    isTurnMachine(src) || src === "humanAgent" || src === "waitAgent"
      ? { states: [leaf(names.next(agent), agent)], arrows: [] }
      : machine(src),
  )
  const left = branches.length - drawn.length
  if (left === 0) return regions
  const rest: PictureState = {
    id: names.next("more"),
    look: "LlmAgent",
    title: `${left} more branches`,
    lines: [],
    regions: [],
  }
  return [...regions, { states: [rest], arrows: [] }]
}

/**
 * Reads the branches of a parallel block from the input of its `fan` machine. Validates the input,
 * because a user may have edited the chart. Invalid branches are omitted.
 */
function branchesOf(
  invoke: ChartInvoke | undefined,
): readonly { readonly agent: string; readonly src: string }[] {
  const branches = invoke?.input["branches"]
  if (!Array.isArray(branches)) return []
  return branches.flatMap((branch: unknown) => {
    if (typeof branch !== "object" || branch === null || !("agent" in branch) || !("src" in branch))
      return []
    return [{ agent: String(branch.agent), src: String(branch.src) }]
  })
}
