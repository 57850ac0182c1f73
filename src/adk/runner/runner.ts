import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Run } from "../../runtime/run/run.js"
import type { Journal } from "../../runtime/journal/journal.js"
import type { SessionKey } from "../../runtime/journal/session-store.js"
import type { Runner as ChartRunner } from "../../runtime/runner/runner.js"
import { createRunner } from "../../runtime/runner/runner.js"
import type { NodePrefix } from "../context/node-runner.js"
import { graphAround } from "../graphs/workflow.js"
import type { BaseNode } from "../nodes/base-node.js"
import type { Event } from "../events/event.js"
import { createEvent } from "../events/event.js"
import { userContentOf } from "../events/message-parts.js"
import type { BaseArtifactService } from "../memory/artifact-service.js"
import { type BaseMemoryService, withMemoryTools } from "../memory/memory-service.js"
import type { RunInvocation } from "../plugins/base-plugin.js"
import type { AgentProgram } from "../program/program.js"
import { programAround, programOf } from "../program/program.js"
import { refuse } from "../common/refuse.js"
import type { Invocation } from "../context/invocation.js"
import { Invocations } from "../context/invocation.js"
import { ambiguousQuestions, answer, questionEvent } from "./request-event.js"
import type { RunAsyncRequest, RunnerConfig } from "./runner-config.js"
import { maxModelCallsOf } from "./run-config.js"
import { chartOf, longRunningTools, withRegistered } from "./program-chart.js"
import { instructionArtifacts } from "./instruction-artifacts.js"
import { RunPlugins } from "./run-plugins.js"
import { ChildRuns } from "./child-runs.js"
import { refuseServices } from "./check-services.js"
import { RunReader, throwFailure } from "./run-reader.js"
import type { BaseSessionService } from "./base-session-service.js"
import type { SessionAccess } from "./session-service.js"
import { sessionAccess } from "./session-service.js"
import type { ResumedInvocation } from "./resumed-invocation.js"
import { readerOfResumed, refuseWithoutMessage, storedMessage } from "./resumed-invocation.js"

/**
 * Runs agents with the API of ADK's `Runner`. Each user message starts a run in a session. The run
 * executes the chart that is compiled from the agents.
 *
 * @example
 * const sessionService = new InMemorySessionService()
 * const runner = new Runner({ appName: "desk", agent: rootAgent, sessionService, models: { small } })
 */
export class AdkRunner {
  readonly appName: string
  readonly agent: BaseNode
  readonly sessionService: BaseSessionService
  readonly memoryService: BaseMemoryService | undefined
  readonly artifactService: BaseArtifactService | undefined
  readonly chart: AgentChart
  readonly #program: AgentProgram
  readonly #defaultModel: string | undefined
  readonly #plugins: RunPlugins
  /** Compiled charts of the same agents with another limit for model calls, by this limit. */
  readonly #limited = new Map<number, AgentChart>()
  readonly #runner: ChartRunner
  readonly #sessions: SessionAccess
  readonly #longRunning: ReadonlySet<string>
  readonly #hasNodes: boolean
  /** Converts node paths if `graphAround` wraps the root node in a graph. Otherwise undefined. */
  readonly #prefix: NodePrefix | undefined
  /** The readers of events of the invocations that wait for a person, by user and session. */
  readonly #waiting = new Map<string, RunReader>()
  readonly #invocations = new Invocations()
  readonly #children: ChildRuns
  readonly #journal: Journal | undefined

  /** @throws AgentStatechartsError `definition_refused` with all problems of the agents */
  constructor(config: RunnerConfig) {
    refuseServices(config)
    const {
      app,
      agent = app?.rootAgent ?? refuse("A Runner has no agent.", "Pass { agent } or { app }."),
      appName = app?.name ??
        refuse("A Runner has no name.", 'Pass { appName: "my_app" } or { app }.'),
      plugins = app?.plugins ?? [],
      sessionService,
      memoryService,
      artifactService,
      models = {},
      defaultModel,
      resumabilityConfig: _always,
      ...options
    } = config
    const graph = graphAround(agent)
    const program = graph === null ? programOf(agent, { plugins }) : programAround(graph, plugins)
    this.#prefix =
      graph === null ? undefined : { from: `${graph.name}.${agent.name}`, to: agent.name }
    this.#program = program
    this.#defaultModel = defaultModel
    this.#plugins = new RunPlugins(plugins)
    this.memoryService = memoryService
    this.artifactService = artifactService
    this.appName = appName
    this.agent = agent
    this.chart = chartOf(program, agent, defaultModel)
    this.sessionService = sessionService
    this.#sessions = sessionAccess(sessionService)
    const { parts } = this.#sessions
    this.#longRunning = longRunningTools(this.chart)
    this.#hasNodes = Object.values(this.chart.machines).some(({ states }) =>
      Object.values(states).some(({ invoke }) => invoke?.src === "nodeRun"),
    )
    this.#journal = options.journal
    const children = new ChildRuns({
      // A child run uses a copy of the calling node's state, and has no own session.
      options: { ...options, clock: parts.clock, ids: parts.ids },
      models,
      plugins,
      defaultModel,
      invocations: this.#invocations,
    })
    this.#children = children
    this.#invocations.provideChildren(children)
    this.#runner = createRunner({
      ...options,
      ...parts,
      services: withMemoryTools(this.#invocations.wrapServices(program.services), memoryService),
      models: withRegistered(this.chart, { ...models, ...program.models }),
    })
  }

  /**
   * Runs an invocation and yields its events until it ends or waits for a person.
   *
   * @throws AgentStatechartsError `session_unknown`, `run_unknown` for an unknown `invocationId`,
   * `request_unknown` for a response without a pending request, `limit_reached`, or the error of the
   * run.
   */
  async *runAsync({
    userId,
    sessionId,
    newMessage,
    invocationId,
    stateDelta = {},
    abortSignal,
    runConfig,
  }: RunAsyncRequest): AsyncGenerator<Event, void, undefined> {
    const session = { appName: this.appName, userId, sessionId }
    const maxModelCalls = maxModelCallsOf(runConfig)
    await this.#sessions.expect(session)
    const key = JSON.stringify([userId, sessionId])
    const resumed =
      invocationId === undefined ? null : await this.#resume(invocationId, session, key)
    if (newMessage === undefined) {
      const { invocation, reader } = resumed ?? refuseWithoutMessage()
      return yield* this.#events(key, invocation, reader, abortSignal)
    }
    const userContent = await this.#plugins.userMessage({ ...session, userContent: newMessage })
    const invocation = { ...session, userContent }
    const replacement = await this.#plugins.beforeRun(invocation)
    if (replacement !== undefined)
      return yield await this.#recorded(
        session,
        createEvent({ author: "model", content: replacement }),
      )
    const waiting = resumed?.reader ?? this.#waiting.get(key)
    const reader =
      waiting ??
      this.#readerOf(await this.#start(invocation, stateDelta, this.#chartWith(maxModelCalls)))
    if (waiting !== undefined) {
      this.#invocations.set(waiting.run.runId, this.#withServices(invocation))
      await waiting.skip()
      const open = ambiguousQuestions(waiting.run, userContent)
      if (open.length > 0) return yield* open.map((request) => questionEvent(waiting.run, request))
      answer(waiting.run, userContent)
    }
    await this.#recorded(session, createEvent({ author: "user", content: userContent }))
    yield* this.#events(key, invocation, reader, abortSignal)
  }

  /** Yields the events of an invocation until it ends or waits for a person. */
  async *#events(
    key: string,
    invocation: RunInvocation,
    reader: RunReader,
    abortSignal: AbortSignal | undefined,
  ): AsyncGenerator<Event, void, undefined> {
    const { userContent: _content, ...session } = invocation
    this.#trackWaiting(key, reader)
    const cancel = (): void => reader.cancel()
    abortSignal?.addEventListener("abort", cancel, { once: true })
    if (abortSignal?.aborted === true) cancel()
    try {
      const events = reader.read()
      let next = await events.next()
      for (; next.done !== true; next = await events.next())
        yield await this.#recorded(session, await this.#plugins.event(invocation, next.value))
      throwFailure(next.value)
      await this.#plugins.afterRun(invocation)
    } finally {
      abortSignal?.removeEventListener("abort", cancel)
      this.#sessions.close(session)
    }
  }

  async #recorded(session: SessionKey, event: Event): Promise<Event> {
    await this.#sessions.record(session, event)
    return event
  }

  #readerOf(run: Run): RunReader {
    return new RunReader(run, (tool) => this.#longRunning.has(tool), this.#hasNodes, this.#prefix)
  }

  /** Resumes an invocation from the journal, unless it is already waiting in this process. */
  async #resume(runId: string, session: SessionKey, key: string): Promise<ResumedInvocation> {
    const userContent = await storedMessage(runId, session, this.#journal)
    const invocation = { ...session, userContent }
    const waiting = this.#waiting.get(key)
    if (waiting?.run.runId === runId) return { invocation, reader: waiting }
    this.#invocations.set(runId, this.#withServices(invocation))
    const reader = await readerOfResumed(this.#runner, runId, (run) => this.#readerOf(run))
    this.#followRun(reader.run)
    return { invocation, reader }
  }

  #followRun(run: Run): void {
    this.#invocations.deleteWhenDone(run)
    const deleteChildRuns = (): void => this.#children.delete(run.runId)
    void run.result.then(deleteChildRuns, deleteChildRuns)
  }

  #withServices(invocation: RunInvocation): Invocation {
    const { memoryService: memory, artifactService: artifacts } = this
    const nodePrefix = this.#prefix
    return {
      ...invocation,
      ...(memory !== undefined && { memory }),
      ...(artifacts !== undefined && { artifacts }),
      ...(nodePrefix !== undefined && { nodePrefix }),
    }
  }

  /** Returns the chart with this limit for model calls. By default, the runner's chart. */
  #chartWith(maxModelCalls: number | undefined): AgentChart {
    if (maxModelCalls === undefined) return this.chart
    const known = this.#limited.get(maxModelCalls)
    if (known !== undefined) return known
    const chart = chartOf(this.#program, this.agent, this.#defaultModel, { maxModelCalls })
    this.#limited.set(maxModelCalls, chart)
    return chart
  }

  /** Runs an invocation in a temporary session, which is deleted afterwards. */
  async *runEphemeral(
    request: Omit<RunAsyncRequest, "sessionId">,
  ): AsyncGenerator<Event, void, undefined> {
    const { appName, sessionService } = this
    const { id: sessionId } = await sessionService.createSession({
      appName,
      userId: request.userId,
    })
    try {
      yield* this.runAsync({ ...request, sessionId })
    } finally {
      await sessionService.deleteSession({ appName, userId: request.userId, sessionId })
    }
  }

  /**
   * Stores the invocation in `#waiting` while it waits for a person. Therefore the invocation stays
   * in memory, even if the caller stops reading its events.
   */
  #trackWaiting(key: string, reader: RunReader): void {
    void reader.run.whenSettled().then(({ status }) => {
      if (status === "waiting") this.#waiting.set(key, reader)
      else if (this.#waiting.get(key) === reader) this.#waiting.delete(key)
    })
  }

  async #start(
    invocation: RunInvocation,
    state: Readonly<Record<string, unknown>>,
    chart: AgentChart,
  ): Promise<Run> {
    const { userContent, ...session } = invocation
    const prompt = userContentOf(userContent)
    if (prompt === null)
      throw new AgentStatechartsError(
        "input_refused",
        'the message has no text, and no invocation of this session is waiting for a response; send { role: "user", parts: [{ text }] }',
      )
    const runId = this.#sessions.parts.ids.next()
    this.#invocations.set(runId, this.#withServices(invocation))
    const { artifactService: service } = this
    const artifacts =
      service === undefined
        ? {}
        : { artifacts: await instructionArtifacts(service, chart, session) }
    const run = this.#runner.start(chart, { session, state, prompt, runId, ...artifacts })
    this.#followRun(run)
    return run
  }
}

export const isRunner = (value: unknown): value is AdkRunner => value instanceof AdkRunner
