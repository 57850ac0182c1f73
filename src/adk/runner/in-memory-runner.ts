import { compile } from "../../compiler/compile.js"
import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../../machines/agent-chart.js"
import type { ModelService } from "../../machines/contract.js"
import type { RunResult } from "../../machines/run-event.js"
import { memorySessionStore } from "../../runtime/host/memory-session-store.js"
import { randomIds } from "../../runtime/host/random-ids.js"
import { systemClock } from "../../runtime/host/system-clock.js"
import type { Run } from "../../runtime/run.js"
import type { Runner, RunnerOptions } from "../../runtime/runner.js"
import { createRunner } from "../../runtime/runner.js"
import type { BaseAgent } from "../agents/base-agent.js"
import type { Content } from "../events/content.js"
import type { Event } from "../events/event.js"
import { userContentOf } from "../events/message-parts.js"
import type { BasePlugin } from "../plugins/base-plugin.js"
import type { AgentProgram } from "../program/program.js"
import { programOf } from "../program/program.js"
import { refuse } from "../refuse.js"
import { answer } from "./request-event.js"
import { RunReader } from "./run-reader.js"
import { SessionService } from "./session-service.js"

/** Models by the names that agents have for them. */
export type ModelServices = Readonly<Record<string, ModelService>>

export interface InMemoryRunnerConfig extends Omit<RunnerOptions, "services"> {
  readonly agent: BaseAgent
  readonly appName?: string
  readonly plugins?: readonly BasePlugin[]
  /** What ADK does not have: who answers for the models. */
  readonly models?: ModelServices
  /** Name of the model of agents that have none, neither of their own nor of an agent above. */
  readonly defaultModel?: string
}

export interface RunAsyncRequest {
  readonly userId: string
  readonly sessionId: string
  /** A text, or responses to calls that an earlier invocation left open. */
  readonly newMessage: Content
  /** Written into the state before the invocation. */
  readonly stateDelta?: Readonly<Record<string, unknown>>
  /** Cancels the invocation. */
  readonly abortSignal?: AbortSignal
}

/**
 * ADK's runner over this library's: every message is a run in a session, on the chart that the agents are compiled to.
 *
 * @example
 * const runner = new InMemoryRunner({ agent: rootAgent, models: { small } })
 * const session = await runner.sessionService.createSession({ appName: runner.appName, userId: "ada" })
 * for await (const event of runner.runAsync({ userId: "ada", sessionId: session.id, newMessage: { role: "user", parts: [{ text: "Hi." }] } }))
 *   if (isFinalResponse(event)) console.log(stringifyContent(event))
 */
export class InMemoryRunner {
  readonly appName: string
  readonly agent: BaseAgent
  readonly sessionService: SessionService
  readonly chart: AgentChart
  readonly #runner: Runner
  readonly #longRunning: ReadonlySet<string>
  /** Invocations that wait for somebody, by session. */
  readonly #open = new Map<string, RunReader>()

  /** @throws AgentStatechartsError `definition_refused` for agents that do not compile; the message has all that is wrong. */
  constructor({
    agent,
    appName = "InMemoryRunner",
    plugins = [],
    models = {},
    defaultModel,
    ...options
  }: InMemoryRunnerConfig) {
    const program = programOf(agent, { plugins })
    const { sessions = memorySessionStore(), clock = systemClock, ids = randomIds } = options
    this.appName = appName
    this.agent = agent
    this.chart = chartOf(program, agent, defaultModel)
    this.sessionService = new SessionService(sessions, clock, ids)
    this.#longRunning = new Set(
      Object.entries(this.chart.tools).flatMap(([id, tool]) =>
        tool.type === "FunctionTool" && tool.longRunning === true ? [id] : [],
      ),
    )
    this.#runner = createRunner({
      ...options,
      sessions,
      clock,
      ids,
      services: program.services,
      models: { ...models, ...program.models },
    })
  }

  /**
   * Runs an invocation and yields its events while it goes on, until it has finished or waits for somebody.
   *
   * @throws AgentStatechartsError `session_unknown`; what the run failed with; `limit_reached`; `request_unknown` for a response that nothing waits for.
   */
  async *runAsync({
    userId,
    sessionId,
    newMessage,
    stateDelta = {},
    abortSignal,
  }: RunAsyncRequest): AsyncGenerator<Event, void, undefined> {
    const session = { appName: this.appName, userId, sessionId }
    await this.sessionService.expect(session)
    const key = JSON.stringify([userId, sessionId])
    const waiting = this.#open.get(key)
    const reader =
      waiting ??
      new RunReader(this.#begin(newMessage, { session, state: stateDelta }), (tool) =>
        this.#longRunning.has(tool),
      )
    if (waiting !== undefined) {
      await waiting.skip()
      answer(waiting.run, newMessage)
    }
    this.#watch(key, reader)
    const cancel = (): void => reader.cancel()
    abortSignal?.addEventListener("abort", cancel, { once: true })
    if (abortSignal?.aborted === true) cancel()
    try {
      throwFailure(yield* reader.read())
    } finally {
      abortSignal?.removeEventListener("abort", cancel)
    }
  }

  /** Remembers an invocation that waits, whether somebody reads it to its end or not. */
  #watch(key: string, reader: RunReader): void {
    void reader.run.rest().then(({ status }) => {
      if (status === "waiting") this.#open.set(key, reader)
      else if (this.#open.get(key) === reader) this.#open.delete(key)
    })
  }

  #begin(
    message: Content,
    options: { readonly session: object; readonly state: Readonly<Record<string, unknown>> },
  ): Run {
    const prompt = userContentOf(message)
    if (prompt === null)
      throw new AgentStatechartsError(
        "input_refused",
        'the message has no text, and no invocation of this session waits for a response; send { role: "user", parts: [{ text }] }',
      )
    return this.#runner.start(this.chart, { ...options, prompt })
  }
}

function chartOf(
  { config }: AgentProgram,
  agent: BaseAgent,
  defaultModel: string | undefined,
): AgentChart {
  const { chart, diagnostics } = compile(config, { dialect: "adk", defaultModel })
  if (chart !== null) return chart
  const wrong = diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ message, cure }) => `${message} ${cure}`)
  return refuse(`The agent "${agent.name}" cannot be compiled.`, wrong.join("\n"))
}

function throwFailure({ status, error }: RunResult): void {
  if (status !== "failed" && status !== "limit") return
  throw new AgentStatechartsError(
    error?.code ?? "internal",
    error?.message ?? `the run ended as ${status}`,
  )
}
