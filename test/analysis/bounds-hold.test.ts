import * as fc from "fast-check"
import { expect, test } from "vitest"
import { analyzeChart } from "../../src/analysis/index.js"
import { boundsOf } from "../../src/analysis/bounds/bounds.js"
import { calledBounds } from "../../src/analysis/bounds/called-bounds.js"
import { chartFacts, plansOf } from "../../src/analysis/plan/chart-facts.js"
import { compile } from "../../src/compiler/compile.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { EmittedEvent } from "../../src/machines/contract/run-event.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import type { ScriptedWorkflow } from "../support/arbitrary-workflow.js"
import { scriptedWorkflow } from "../support/arbitrary-workflow.js"
import { bringToEnd, timedServices } from "../support/bring-to-end.js"
import { randomGraph, servicesOf } from "../support/random-graph.js"
import { simulatedClock } from "../support/simulated-clock.js"
import { observedConduct } from "./observed-conduct.js"
import { randomCases } from "../support/random-cases.js"

const numRuns = randomCases(400)

interface Played {
  readonly events: readonly EmittedEvent[]
  readonly modelCalls: number
}

async function play(workflow: ScriptedWorkflow, chart: AgentChart): Promise<Played> {
  const clock = simulatedClock()
  const services = timedServices(workflow, clock)
  const run = createRunner({ ...services, clock }).start(chart, { runId: "r" })
  const events: EmittedEvent[] = []
  run.events$.subscribe((event) => {
    if (event.type !== "run.started" && event.type !== "run.finished") events.push(event)
  })
  await bringToEnd(run, clock)
  return { events, modelCalls: services.modelCalls.filter(({ attempt }) => attempt === 1).length }
}

const countOf = (
  events: readonly EmittedEvent[],
  ...types: readonly EmittedEvent["type"][]
): number => events.filter(({ type }) => types.includes(type)).length

test.each(["graph-compose", "adk"] as const)(
  `%s: ${numRuns} random workflows with random scripts never exceed their bounds`,
  { timeout: 3_600_000 },
  async (dialect) => {
    let tight = 0
    await fc.assert(
      fc.asyncProperty(scriptedWorkflow, fc.boolean(), async (workflow, isLimited) => {
        const limits = isLimited ? {} : { maxModelCalls: 500 }
        const { chart, diagnostics } = compile(
          {
            rootAgentId: "a0",
            agents: workflow.agents,
            initialUserInput: "go",
            ...workflow.fields,
            ...limits,
          },
          { maxRegions: 4, dialect },
        )
        if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
        const { events, modelCalls } = await play(workflow, chart)
        const bounds = boundsOf(
          chart,
          plansOf(chart, chartFacts(chart)),
          observedConduct(events, chart),
          null,
          calledBounds(chart, (inner) => analyzeChart(inner).bounds),
        )
        expect(modelCalls).toBeLessThanOrEqual(bounds.modelCalls.most ?? 0)
        expect(countOf(events, "human.asked", "user.awaited")).toBeLessThanOrEqual(
          bounds.humanWaits.most ?? Number.POSITIVE_INFINITY,
        )
        for (const measure of ["modelCalls", "toolRounds", "humanWaits"] as const)
          expect(bounds.expected[measure]).toBeLessThanOrEqual(
            bounds[measure].ofChart ?? Number.POSITIVE_INFINITY,
          )
        if (modelCalls === bounds.modelCalls.most) tight++
      }),
      { numRuns, verbose: 0 },
    )
    // The bounds are tight: many runs reach them exactly.
    expect(tight / numRuns).toBeGreaterThan(0.2)
  },
)

test.each(["acyclic", "cyclic"] as const)(
  `${numRuns} random %s graphs never call a model more often than their bound`,
  { timeout: 3_600_000 },
  async (kind) => {
    await fc.assert(
      fc.asyncProperty(randomGraph(kind === "cyclic"), fc.nat(7), async (graph, turned) => {
        const { options, clock } = servicesOf(graph, turned)
        const run = createRunner(options).start(graph.chart, { runId: "r" })
        const called = new Map<string, number>()
        run.events$.subscribe((event) => {
          if (event.type === "model.called" && event.attempt === 1)
            called.set(event.agent, (called.get(event.agent) ?? 0) + 1)
        })
        await clock.runUntilIdle()
        const { path } = analyzeChart(graph.chart, { toolRounds: 0 }).bounds.modelCalls
        const most = new Map(path.map(({ agent, times }) => [agent, times ?? 0]))
        for (const [agent, times] of called)
          expect(times, agent).toBeLessThanOrEqual(most.get(agent) ?? 0)
      }),
      { numRuns, verbose: 0 },
    )
  },
)
