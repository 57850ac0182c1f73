import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostContext, HostService } from "../../runtime/index.js"

/**
 * The behavior of a stub in one step of a call. A step ends when the stub runs a sub-agent, returns
 * or throws.
 */
export interface StubStep {
  readonly delayMs?: number
  readonly set?: JsonObject
  /** Only for a `beforeTool` callback: the stub changes the arguments of the tool call. */
  readonly changeArguments?: true
  readonly escalate?: true
  readonly transferTo?: string
  readonly skipSummarization?: true
  /** Name of the sub-agent that the stub runs at the end of this step. */
  readonly run?: string
  readonly throw?: string
  readonly return?: unknown
}

/** The scripted steps of each call of a function, in the order of the calls. */
export type StubCalls = readonly (readonly StubStep[])[]

/** A toolset with the names of its tools, and the scripted calls of each tool. */
export interface StubToolset {
  readonly lists: readonly string[]
  readonly calls: Readonly<Record<string, StubCalls>>
}

/**
 * The stubs with which a run plays a counterexample. They replace host functions and toolsets (by
 * service name), models, and the services of MachineAgents.
 */
export interface Stubs {
  readonly functions: Readonly<Record<string, StubFunction>>
  readonly toolsets: Readonly<Record<string, StubToolset>>
  /**
   * Names of the models whose services declare that they can send signals, such as
   * `waitForUserInput`. The scenario contains their responses.
   */
  readonly models: readonly string[]
  /**
   * Names of the services of MachineAgents. No counterexample runs their machines, but a run only
   * starts if they are registered.
   */
  readonly machines: readonly string[]
}

interface StubFunction {
  readonly calls: StubCalls
  /** How the stub behaves in calls after the scripted calls. */
  readonly otherwise: StubStep
}

/**
 * A function that executes one step of a stub. Resolves to the return value of the stubbed
 * function, or to `undefined` if another step follows.
 */
export type TakeStep = (context: HostContext, input: unknown, step: StubStep) => Promise<unknown>

/**
 * The source code of {@link TakeStep}. Each stub module contains this text. It throws plain errors,
 * as the functions of users do.
 */
const takeStepSource = `async function takeStep(context, input, step) {
  if (step.delayMs) await new Promise((resolve) => setTimeout(resolve, step.delayMs))
  for (const [key, value] of Object.entries(step.set ?? {})) context.state.set(key, value)
  if (step.changeArguments) input.args.changed = "changed"
  if (step.escalate) context.actions.escalate = true
  if (step.transferTo) context.actions.transferToAgent = step.transferTo
  if (step.skipSummarization) context.actions.skipSummarization = true
  if (step.throw) throw new Error(step.throw)
  if (step.run) return void (await context.runAgent(step.run))
  return step.return
}`

/** The source code of `machineStub`. Each stub module with machines contains this text. */
const machineStubSource = `function machineStub() {
  const refuse = () => {
    throw new Error("The counterexample does not run this machine.")
  }
  return { implementations: {}, provide: refuse, getStateNodeById: refuse }
}`

/** The functions that stub modules and in-process stubs have in common. */
export interface StubParts {
  readonly takeStep: TakeStep
  /** Creates the service of a MachineAgent. Its machine is never started. */
  readonly machineStub: () => HostService
}

export async function loadStubParts(): Promise<StubParts> {
  const source = `${takeStepSource}\n${machineStubSource}\nexport { takeStep, machineStub }\n`
  return (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as StubParts
}

/**
 * Returns the source code of a `--services` module whose functions behave as the path of a
 * counterexample requires.
 */
export const stubModule = ({
  functions,
  toolsets,
  models,
  machines,
}: Stubs): string => `// Stubs of host functions, written by \`agent-statecharts check --counterexamples\`.
// Each call of a function takes the next list of steps.
const functions = ${JSON.stringify(functions, null, 2)}
const toolsets = ${JSON.stringify(toolsets, null, 2)}

${takeStepSource}

function stub(calls, otherwise) {
  const known = new Map()
  return async (context, input) => {
    if (!known.has(context.idempotencyKey)) known.set(context.idempotencyKey, calls.shift() ?? [])
    let result
    for (const step of [...known.get(context.idempotencyKey), otherwise]) {
      result = await takeStep(context, input, step)
      if (!step.run) return result
    }
  }
}

const fromFunctions = Object.entries(functions).map(([name, { calls, otherwise }]) => [
  name,
  stub(calls, otherwise),
])
const fromToolsets = Object.entries(toolsets).map(([name, { lists, calls }]) => {
  const tools = Object.fromEntries(
    lists.map((tool) => [tool, stub(calls[tool] ?? [], { return: { done: true } })]),
  )
  return [
    name,
    {
      list: () => lists.map((tool) => ({ name: tool })),
      call: (context, tool, args) => tools[tool](context, args),
    },
  ]
})

${machines.length === 0 ? "" : machinesSource(machines)}export const services = Object.fromEntries([...fromFunctions, ...fromToolsets${machines.length === 0 ? "" : ", ...fromMachines"}])
${models.length === 0 ? "" : modelsSource(models)}`

const machinesSource = (machines: readonly string[]): string => `${machineStubSource}
const fromMachines = ${JSON.stringify(machines)}.map((name) => [name, machineStub()])

`

const modelsSource = (models: readonly string[]): string => `
// Services of models that can send signals such as exitFlow. The scenario answers for them.
const unscripted = () => Promise.reject(new Error("play this module with --scripted"))
export const models = Object.fromEntries(
  ${JSON.stringify(models)}.map((name) => [name, { signals: true, call: unscripted }]),
)
`
