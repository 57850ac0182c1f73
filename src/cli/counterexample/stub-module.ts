import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostContext } from "../../runtime/index.js"

/** The behavior of a stub in one call of a host function, up to its next sub-agent or its end. */
export interface StubStep {
  readonly delayMs?: number
  readonly set?: JsonObject
  /** Replaces arguments of the tool call before which the callback runs. */
  readonly changeArguments?: true
  readonly escalate?: true
  readonly transferTo?: string
  readonly skipSummarization?: true
  /** The sub-agent to run before the next step. */
  readonly run?: string
  readonly throw?: string
  readonly return?: unknown
}

/** The steps of each call of a function, in the order of the calls. */
export type StubCalls = readonly (readonly StubStep[])[]

/** A toolset that lists these tools. Its calls are scripted by tool. */
export interface StubToolset {
  readonly lists: readonly string[]
  readonly calls: Readonly<Record<string, StubCalls>>
}

/** The host functions and toolsets of a counterexample, by service name. */
export interface Stubs {
  readonly functions: Readonly<Record<string, StubFunction>>
  readonly toolsets: Readonly<Record<string, StubToolset>>
  /** Names of the models whose services declare signals. The scenario contains their responses. */
  readonly models: readonly string[]
}

interface StubFunction {
  readonly calls: StubCalls
  /** The behavior of all further calls. */
  readonly otherwise: StubStep
}

/**
 * Executes one step of a stub. Resolves to the returned value, or to `undefined` before the next
 * step.
 */
export type TakeStep = (context: HostContext, input: unknown, step: StubStep) => Promise<unknown>

/** The source of {@link TakeStep}. The same text is part of each module of stubs. */
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

export async function loadTakeStep(): Promise<TakeStep> {
  const source = `${takeStepSource}\nexport { takeStep }\n`
  const module = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
    readonly takeStep: TakeStep
  }
  return module.takeStep
}

/** Returns the source of a module for `--services` whose functions behave as a path requires. */
export const stubModule = ({
  functions,
  toolsets,
  models,
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

export const services = Object.fromEntries([...fromFunctions, ...fromToolsets])
${models.length === 0 ? "" : modelsSource(models)}`

const modelsSource = (models: readonly string[]): string => `
// Services of models that can send signals such as exitFlow. The scenario answers for them.
const unscripted = () => Promise.reject(new Error("play this module with --scripted"))
export const models = Object.fromEntries(
  ${JSON.stringify(models)}.map((name) => [name, { signals: true, call: unscripted }]),
)
`
