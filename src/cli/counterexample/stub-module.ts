import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostContext, HostService } from "../../runtime/index.js"

/**
 * One step in a call of a stub, a generated function that replaces a host function. A step ends
 * when the stub runs a sub-agent, returns or throws.
 */
export interface StubStep {
  readonly delayMs?: number
  readonly set?: JsonObject
  /**
   * Only for the stub of a `beforeTool` callback. The stub changes the arguments of the tool call.
   */
  readonly changeArguments?: true
  readonly escalate?: true
  readonly transferTo?: string
  readonly skipSummarization?: true
  /** Id of the sub-agent that the stub of a custom agent runs at the end of this step. */
  readonly run?: string
  readonly throw?: string
  readonly return?: unknown
}

/**
 * Scripted steps of a stub function. The outer array contains the calls of the function in order,
 * and each inner array contains the steps of one call.
 */
export type StubCalls = readonly (readonly StubStep[])[]

/** Stub of a toolset, with the names of its tools and the scripted calls of each tool. */
export interface StubToolset {
  readonly lists: readonly string[]
  readonly calls: Readonly<Record<string, StubCalls>>
}

/**
 * Stubs for a run that reproduces a counterexample. They replace host functions and toolsets (by
 * service name), models, and the XState machines of MachineAgents.
 */
export interface Stubs {
  readonly functions: Readonly<Record<string, StubFunction>>
  readonly toolsets: Readonly<Record<string, StubToolset>>
  /**
   * Names of the models that the stub module declares to support control signals, such as
   * `waitForUserInput`. The responses of these models are in the scenario file, not in the stub
   * module.
   */
  readonly models: readonly string[]
  /**
   * Names of the XState machines that MachineAgents run. Their stubs are placeholders, because a
   * counterexample never starts a machine. Without the placeholders, the run could not start.
   */
  readonly machines: readonly string[]
}

interface StubFunction {
  readonly calls: StubCalls
  /** Default action of the stub function after its scripted steps. */
  readonly otherwise: StubStep
}

/**
 * Executes one step of a stub function. Resolves to the return value of the stubbed function, or to
 * `undefined` if another step follows.
 */
export type TakeStep = (context: HostContext, input: unknown, step: StubStep) => Promise<unknown>

/**
 * JavaScript source code of {@link TakeStep}, which each stub module contains. Errors are plain
 * `Error` objects, like the errors of user functions.
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

/**
 * JavaScript source code of the function `machineStub`. Each stub module that replaces machines
 * contains it.
 */
const machineStubSource = `function machineStub() {
  const refuse = () => {
    throw new Error("The counterexample does not run this machine.")
  }
  return { implementations: {}, provide: refuse, getStateNodeById: refuse }
}`

/**
 * Functions that execute stubs in this process. Generated stub modules contain the same functions.
 */
export interface StubParts {
  readonly takeStep: TakeStep
  /**
   * Creates a placeholder for the XState machine of a MachineAgent. The placeholder is never
   * started.
   */
  readonly machineStub: () => HostService
}

export async function loadStubParts(): Promise<StubParts> {
  const source = `${takeStepSource}\n${machineStubSource}\nexport { takeStep, machineStub }\n`
  return (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as StubParts
}

/**
 * Returns the source code of a module for the option `--services`. Its functions behave as a
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
