import { createActor } from "xstate"
import { createHttpServices } from "../../../src/adapters/http/index.js"
import { startScriptedService } from "../../../src/adapters/scripted/index.js"
import type { AgentChart, RunResult } from "../../../src/machines/index.js"
import { libraryMachines } from "../../../src/machines/registry/machine-registry.js"
import { machinesOf } from "../../../src/machines/registry/machines-of.js"
import type { MachineConfig } from "../../../src/machines/registry/machine-definition.js"
import type { Inspect } from "../../../src/runtime/index.js"
import { controlActor, createRunner, toMachine } from "../../../src/runtime/index.js"
import type { Example } from "../../examples/example-folder.js"
import { give } from "../../examples/give-answer.js"
import { scriptedCalls } from "../../examples/scripted-calls.js"

/** Runs an example to its end with one of the interpreters and an inspector. */
export async function playInspected(
  interpreter: "run" | "actor",
  { chart: stored, scenario, answers, services }: Example,
  inspect: Inspect,
): Promise<RunResult> {
  const chart = stored as AgentChart
  const service = await startScriptedService(scenario)
  const http = createHttpServices({ dispatcher: service.dispatcher() })
  const calls = scriptedCalls({ chart, services }, http)
  try {
    const run =
      interpreter === "run"
        ? createRunner({ ...calls, inspect }).start(chart)
        : startActor(chart, calls, inspect)
    for (const answer of answers) {
      await run.whenSettled()
      give(answer, run)
    }
    const result = await run.whenSettled()
    // A conversation is idle after its last turn.
    if (
      interpreter === "run"
        ? run.snapshot().status === "completed" && chart.dialect === "adk"
        : chart.dialect === "adk"
    )
      run.end()
    return result
  } finally {
    await http.close()
    await service.close()
  }
}

function startActor(chart: AgentChart, calls: Parameters<typeof toMachine>[1], inspect: Inspect) {
  const actor = createActor(toMachine(chart, calls), { input: {}, inspect })
  const controls = controlActor(actor)
  actor.start()
  return controls
}

/** Returns `machine.outer.inner` for each state of a machine. */
export const pathsOf = ({
  id,
  states,
}: {
  readonly id: string
  readonly states: object
}): readonly string[] => [id, ...inner(states as MachineConfig["states"], id)]

const inner = (states: MachineConfig["states"], above: string): readonly string[] =>
  Object.entries(states).flatMap(([key, { states: below = {} }]) => [
    `${above}.${key}`,
    ...inner(below, `${above}.${key}`),
  ])

/** Returns the state paths of each machine that the chart can run, including library machines, by machine id. */
export const pathsInChart = (chart: AgentChart): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...machinesOf(chart, libraryMachines).values()].map(({ config }) => [
      config.id,
      pathsOf(config),
    ]),
  )

/** Returns the paths of the active states in a state value. */
export const standsAt = (id: string, value: unknown): readonly string[] =>
  typeof value === "string"
    ? [`${id}.${value}`]
    : Object.entries(value as object).flatMap(([key, below]) => [
        `${id}.${key}`,
        ...standsAt(`${id}.${key}`, below),
      ])
