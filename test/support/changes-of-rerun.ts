import { rerunner } from "../../src/runtime/index.js"
import type { StoredRun } from "../../src/runtime/index.js"
import { pastCalls } from "../../src/runtime/history/past-calls.js"

/**
 * Executes a stored run again with its own chart and without services. Returns the differences, which
 * should be empty. Ignores runs with a failed call, and runs that were rejected before their start.
 */
export async function changesOfRerun(stored: StoredRun): Promise<readonly string[]> {
  const past = pastCalls(stored)
  const hasFailed = past.calls.some(
    ({ known, result }) =>
      result?.ok === false ||
      (known.kind === "node" &&
        ((result?.value ?? {}) as { readonly failure?: unknown }).failure !== undefined),
  )
  if (hasFailed || past.result.status === "running") return []
  const { calls, firstDivergence, changed, before, after } = await rerunner(stored.header.chart)(
    structuredClone(stored),
  )
  const { made } = calls
  const found: Readonly<Record<string, unknown>> = {
    "calls made": made.models + made.tools,
    "first divergence": firstDivergence,
    status: before.status === after.status ? null : [before.status, after.status],
    text: before.text === after.text ? null : [before.text, after.text],
    state: changed.state.length === 0 ? null : changed.state,
    agents: [...changed.agents.added, ...changed.agents.removed].join(),
    states: [...changed.states.added, ...changed.states.removed].join(),
  }
  return Object.entries(found).flatMap(([name, value]) =>
    value === null || value === 0 || value === "" ? [] : [`${name}: ${JSON.stringify(value)}`],
  )
}
