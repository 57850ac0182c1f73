import * as fc from "fast-check"
import { expect, test } from "vitest"
import { compile } from "../../src/compiler/compile.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import type { ScriptedWorkflow } from "../support/arbitrary-workflow.js"
import { scriptedWorkflow } from "../support/arbitrary-workflow.js"
import { bringToEnd, timedServices } from "../support/bring-to-end.js"
import { randomCases } from "../support/random-cases.js"
import { simulatedClock } from "../support/simulated-clock.js"

/** Runs a workflow and returns its result, and by path the agents that ended, each with its outcome. */
async function played(
  workflow: ScriptedWorkflow,
  dialect: "graph-compose" | "adk",
  maxRegions: number,
): Promise<unknown> {
  const { chart, diagnostics } = compile(
    { rootAgentId: "a0", agents: workflow.agents, initialUserInput: "go", ...workflow.fields },
    { maxRegions, dialect },
  )
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  const clock = simulatedClock()
  const run = createRunner({ ...timedServices(workflow, clock), clock }).start(chart, {
    runId: "r",
  })
  const ended: string[] = []
  run.events$.subscribe((event) => {
    if (event.type === "agent.finished")
      ended.push(`${event.path} ${event.kind} ${event.outcome} ${JSON.stringify(event.text)}`)
  })
  const { result, waited } = await bringToEnd(run, clock)
  return { result, waited, ended: ended.toSorted() }
}

/**
 * Removes `maxConcurrency`, so that blocks can use regions. Also removes failing conditions and raises the limit of model
 * calls, because their effects depend on the order in which branches start.
 */
const comparable = (workflow: ScriptedWorkflow): ScriptedWorkflow => ({
  ...workflow,
  fields: { ...workflow.fields, maxModelCalls: 500 },
  agents: JSON.parse(
    JSON.stringify(workflow.agents, (key, value: unknown) =>
      key === "maxConcurrency" || (key === "when" && String(value).includes("ghost"))
        ? undefined
        : value,
    ),
  ) as ScriptedWorkflow["agents"],
})

test.each(["graph-compose", "adk"] as const)(
  "%s: parallel blocks of random workflows have the same results as regions and as actors",
  async (dialect) => {
    await fc.assert(
      fc.asyncProperty(scriptedWorkflow.map(comparable), async (workflow) => {
        expect(await played(workflow, dialect, 1)).toEqual(await played(workflow, dialect, 16))
      }),
      { numRuns: randomCases(60), verbose: 0 },
    )
  },
)
