import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Atom } from "../../policies/atom.js"
import type { Policy, PolicySet } from "../../policies/policy.js"
import { occurrencesOf } from "../flow/flow-order.js"
import type { FlowStep } from "../flow/flow-state.js"
import { findSequence } from "../model-checking/find-sequence.js"
import type { PathScript } from "../model-checking/path-script.js"
import { pathScript } from "../model-checking/path-script.js"

/**
 * Limits for the number of states that the search explores for one sequence of events. A lower
 * maximum in the policy file is raised to `minSearchedStates`, and a higher maximum is lowered to
 * `maxSearchedStates`.
 */
const minSearchedStates = 5_000
const maxSearchedStates = 20_000

/**
 * Returns scripts of up to `most` runs in which the steps of the data path occur in order. The
 * shortest run comes first. If no such run exists, searches for runs with only the first and the
 * last step of the path. Returns null if this also finds no run. Returns an empty list if the
 * search needs too many states, or if the path contains no events.
 */
export function flowScripts(
  flowPath: readonly FlowStep[],
  chart: AgentChart,
  policy: Policy,
  set: PolicySet,
  most: number,
): readonly PathScript[] | null {
  const sequence = occurrencesOf(flowPath)
  if (sequence.length === 0) return []
  const maxStates = Math.max(Math.min(set.maxStates, maxSearchedStates), minSearchedStates)
  const limited = { ...set, maxStates }
  const scriptsOf = (atoms: readonly Atom[]): readonly PathScript[] | null => {
    const found = findSequence(atoms, chart, policy, limited, most)
    if (found === null) return null
    return found.type === "limit"
      ? []
      : found.paths.map((path) => pathScript(path, chart, found.keys, set.assume))
  }
  const scripts = scriptsOf(sequence)
  if (scripts !== null || sequence.length < 3) return scripts
  // The data may take another path between the same source and sink.
  return scriptsOf([...sequence.slice(0, 1), ...sequence.slice(-1)])
}
