import * as fc from "fast-check"
import { expect, test } from "vitest"
import { analyzeChart } from "../../src/analysis/index.js"
import { compile } from "../../src/compiler/compile.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { ChartTransition } from "../../src/machines/contract/chart-machine.js"
import { transitionLists } from "../../src/machines/contract/chart-transitions.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import type { ScriptedWorkflow } from "../support/arbitrary-workflow.js"
import { scriptedWorkflow } from "../support/arbitrary-workflow.js"
import { bringToEnd, timedServices } from "../support/bring-to-end.js"
import { simulatedClock } from "../support/simulated-clock.js"
import { randomCases } from "../support/random-cases.js"

const numRuns = randomCases(400)

/** Returns the chart without some of its transitions. A run that needs a removed transition fails or stops. */
function withoutWays(chart: AgentChart, chosen: readonly number[]): AgentChart {
  const copy = structuredClone(chart)
  const removable = (transition: ChartTransition): boolean =>
    ["completed", "conditionHolds", "handsOffTo"].includes(transition.guard?.type ?? "")
  const lists = Object.values(copy.machines)
    .flatMap((machine) => transitionLists(machine))
    .filter(({ transitions }) => transitions.some(removable))
  for (const index of chosen) {
    const list = lists[index % Math.max(1, lists.length)]?.transitions as
      | ChartTransition[]
      | undefined
    list?.splice(list.findIndex(removable), 1)
  }
  return copy
}

/** Returns every state that a machine of a run has entered, with the id of the machine as a prefix. */
async function visitedStates(
  workflow: ScriptedWorkflow,
  chart: AgentChart,
): Promise<ReadonlySet<string>> {
  const visited = new Set<string>()
  const add = (value: unknown, path: string): void => {
    if (typeof value === "string") visited.add(`${path}.${value}`)
    else
      for (const [key, inner] of Object.entries(value as object))
        add((visited.add(`${path}.${key}`), inner), `${path}.${key}`)
  }
  const clock = simulatedClock()
  const run = createRunner({
    ...timedServices(workflow, clock),
    clock,
    inspect: (event) => {
      if (event.type !== "@xstate.snapshot") return
      const { logic } = event.actorRef as unknown as {
        readonly logic: { readonly config: { readonly id: string } }
      }
      add((event.snapshot as unknown as { readonly value: unknown }).value, logic.config.id)
    },
  }).start(chart, { runId: "r" })
  run.result.catch(() => {})
  await bringToEnd(run, clock).catch((cause: Error) => {
    // A run that needs a removed transition cannot continue, as the analysis reports.
    if (!cause.message.startsWith("nothing moves")) throw cause
  })
  return visited
}

test(
  `${numRuns} random charts with removed transitions never enter a state that is reported as unreachable`,
  { timeout: 3_600_000 },
  async () => {
    let said = 0
    let stood = 0
    await fc.assert(
      fc.asyncProperty(
        scriptedWorkflow,
        fc.array(fc.nat(), { maxLength: 3 }),
        async (workflow, chosen) => {
          const { chart, diagnostics } = compile(
            {
              rootAgentId: "a0",
              agents: workflow.agents,
              initialUserInput: "go",
              ...workflow.fields,
            },
            { maxRegions: 4 },
          )
          if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
          const edited = withoutWays(chart, chosen)
          const { unreachable } = analyzeChart(edited).states
          const visited = await visitedStates(workflow, edited)
          expect(unreachable.filter((state) => visited.has(state))).toEqual([])
          expect([...visited].some((state) => state.startsWith(`${chart.root}.`))).toBe(true)
          said += unreachable.length
          stood += visited.size
        },
      ),
      { numRuns, verbose: 0 },
    )
    expect(said).toBeGreaterThan(numRuns / 4)
    expect(stood).toBeGreaterThan(numRuns * 2)
  },
)
