import { checkChart } from "../../machines/contract/check-chart.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartMachine } from "../../machines/contract/chart-machine.js"
import { literal } from "./literal.js"
import { namesUsed } from "./names-used.js"

/**
 * Returns a chart as TypeScript source code. Each machine becomes a call of `setup` and
 * `createMachine` of XState that declares every name it uses, so that an XState editor can open it.
 * The source also builds the chart from these machines, so edits of the machines change the chart.
 *
 * The declarations contain no implementations. The functions `createMachine` and `chart` in the
 * source add the implementations of this library.
 */
export function drawXstate(chart: AgentChart): string {
  checkChart(chart, "drawXstate")
  const { machines, ...rest } = chart
  const keys = Object.keys(machines)
  const entries = keys.map(
    (key) => `  ${literal({ [key]: 0 }).slice(2, -5)}: ${machineSource(machines[key])},`,
  )
  return `${[
    `// The statechart of ${literal(chart.id).replaceAll("*/", "* /")}, written by agent-statecharts.`,
    "// `machines` stands on its own: paste one into an editor for XState to see and change it.",
    "// `chart` and `createMachine` are made from it, with the meaning that the library gives to its names.",
    "",
    'import type { AnyStateMachine } from "xstate"',
    'import { fromPromise, setup } from "xstate"',
    'import type { AgentChart, ChartMachine } from "agent-statecharts/machines"',
    'import type { MachineServices } from "agent-statecharts/runtime"',
    'import { toMachine } from "agent-statecharts/runtime"',
    "",
    "type Params = object | undefined",
    "",
    "/** Stand-ins, so that the machines can be drawn and simulated. */",
    "const guard = (_: unknown, _params: Params): boolean => true",
    "const action = (_: unknown, _params: Params): void => undefined",
    "const actor = fromPromise<unknown, object>(() => Promise.resolve(undefined))",
    "",
    "export const machines = {",
    ...entries,
    "}",
    "",
    `const definition: Omit<AgentChart, "machines"> = ${literal(rest)}`,
    "",
    "/** For `createRunner(services).start(chart)`. */",
    "export const chart: AgentChart = {",
    "  ...definition,",
    "  // A machine's config is what was written above: the JSON of a chart.",
    "  machines: Object.fromEntries(Object.entries(machines).map(([key, { config }]) => [key, config as unknown as ChartMachine])),",
    "}",
    "",
    "/** For `createActor(createMachine(services), { input: {} })`. */",
    "export const createMachine = (services: MachineServices = {}): AnyStateMachine => toMachine(chart, services)",
  ].join("\n")}\n`
}

function machineSource(machine: ChartMachine | undefined): string {
  if (machine === undefined) return "undefined"
  const { guards, actions, actors } = namesUsed(machine)
  const declare = (names: readonly string[], as: string): string =>
    `{ ${names.map((name) => `${literal(name)}: ${as}`).join(", ")} }`
  const parts = [
    ...(actors.length === 0 ? [] : [`    actors: ${declare(actors, "actor")},`]),
    ...(guards.length === 0 ? [] : [`    guards: ${declare(guards, "guard")},`]),
    ...(actions.length === 0 ? [] : [`    actions: ${declare(actions, "action")},`]),
  ]
  return `setup({\n${parts.join("\n")}\n  }).createMachine(${literal(machine, "  ")})`
}
