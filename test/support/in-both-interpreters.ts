import { createActor } from "xstate"
import { compile } from "../../src/compiler/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { EmittedEvent, RunResult } from "../../src/machines/contract/run-event.js"
import { controlActor } from "../../src/runtime/actor/control-actor.js"
import { toMachine } from "../../src/runtime/actor/to-machine.js"
import type { CallServices } from "../../src/runtime/host/call-services.js"
import type { RunControls } from "../../src/runtime/run/run-controls.js"
import type { RunnerOptions, StartOptions } from "../../src/runtime/runner/runner-options.js"
import { createRunner } from "../../src/runtime/runner/runner.js"

export const interpreters = ["run", "actor"] as const

interface Begun {
  readonly controls: RunControls
  /** The events so far, without `run.started` and `run.finished`. */
  readonly events: EmittedEvent[]
}

/** Starts a chart with one of the interpreters and waits until it is idle. */
export async function play(
  interpreter: (typeof interpreters)[number],
  chart: AgentChart,
  services: CallServices,
): Promise<Begun & { readonly rested: RunResult }> {
  const begun = begin(interpreter, chart, services)
  return { ...begun, rested: await begun.controls.whenSettled() }
}

/** Starts a chart with one of the interpreters. */
export function begin(
  interpreter: (typeof interpreters)[number],
  chart: AgentChart,
  services: RunnerOptions,
  input: Omit<StartOptions, "session"> = {},
): Begun {
  const events: EmittedEvent[] = []
  if (interpreter === "run") {
    const run = createRunner(services).start(chart, input)
    run.events$.subscribe((event) => {
      if (event.type !== "run.started" && event.type !== "run.finished") events.push(event)
    })
    return { controls: run, events }
  }
  const actor = createActor(
    toMachine(chart, { ...services, onEvent: (event) => events.push(event) }),
    { input },
  )
  actor.subscribe({ error: () => {} })
  const controls = controlActor(actor)
  actor.start()
  return { controls, events }
}

/** Compiles a config in the adk dialect. If `model` is set, every LlmAgent of the chart uses it. */
export function chartOf(config: object, model: string | null = null): AgentChart {
  const { chart, diagnostics } = compile(config, { dialect: "adk" })
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  if (model === null) return chart
  const agents = Object.entries(chart.agents).map(
    ([id, agent]) => [id, agent.type === "LlmAgent" ? { ...agent, model } : agent] as const,
  )
  return { ...chart, agents: Object.fromEntries(agents) }
}

/** Returns a model with scripted responses for each agent, and the requests that it received. The last response is repeated. */
export function scriptedModel(script: Readonly<Record<string, readonly object[]>>) {
  const asked: {
    readonly agent: string
    readonly messages: readonly unknown[]
    readonly tools: readonly { readonly function: { readonly name: string } }[]
  }[] = []
  const next = new Map<string, number>()
  const call = async (request: (typeof asked)[number]): Promise<unknown> => {
    asked.push(request)
    const nth = next.get(request.agent) ?? 0
    next.set(request.agent, nth + 1)
    const answers = script[request.agent] ?? []
    return answers[Math.min(nth, answers.length - 1)]
  }
  return { asked, models: { any: { call } } }
}

/** Returns a model response that calls one tool. */
export const calls = (name: string, args: object = {}, id = "1") => ({
  content: null,
  toolCalls: [{ id, function_name: name, function_args: args }],
})

/** Returns the last tool response that the model received. */
export const toldByTools = (
  asked: readonly { readonly messages: readonly unknown[] }[],
): unknown => {
  const last = asked.at(-1)?.messages.at(-1) as {
    readonly content: readonly { readonly function_response: { readonly response: unknown } }[]
  }
  return last.content[0]?.function_response.response
}
