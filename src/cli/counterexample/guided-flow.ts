import type { Counterexample } from "../../analysis/index.js"
import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunEvent } from "../../machines/contract/run-event.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { exitLoop, transferTool } from "../../machines/model-call/built-in-tools.js"
import type { FlowEndpoints } from "../../policies/flow-endpoints.js"
import { permissionsOf } from "../../policies/permissions-of.js"
import type { PolicySet } from "../../policies/policy.js"
import { createRunner } from "../../runtime/index.js"
import type { Run } from "../../runtime/index.js"
import type { AnswerEntry, SubmittedAnswer } from "../answers/answer-script.js"
import { submitAnswer } from "../answers/answer-script.js"
import { argumentsOf, textOf, toolCall, defaultStep } from "./act-answers.js"
import { answerTo } from "./answer-request.js"
import type { GuidedRunOptions } from "./guided-run-options.js"
import type { GuidedRun } from "./guided-run.js"
import { isIdle, settleRun, startTime } from "./settle-run.js"
import type { DirectedServices, Waiting } from "./directed-services.js"
import { directedServices } from "./directed-services.js"
import { routesFrom, subAgentsOf } from "./function-choices.js"
import { manualClock } from "./manual-clock.js"
import { FlowMarks } from "./flow-marks.js"
import {
  failureTowardsSink,
  marker,
  markedArguments,
  markedInput,
  markedText,
} from "./marked-data.js"
import { loadStubParts } from "./stub-module.js"
import type { StubStep } from "./stub-module.js"

export interface FlowOptions extends Omit<GuidedRunOptions, "script" | "usageOf"> {
  readonly endpoints: FlowEndpoints
  readonly set: PolicySet
  readonly path: Counterexample["path"]
  /**
   * Number of the attempt to find a run that violates the policy, starting at 0. Each attempt gives
   * different answers to the calls of the run.
   */
  readonly attempt: number
}

/**
 * A simulated run that checks a `noFlow` policy, which forbids that certain data reaches a sink
 * such as a tool. A marker text stands in for this data, because a marker is easy to find in
 * requests.
 */
export interface FlowRun extends GuidedRun {
  readonly state: JsonObject
  readonly prompt: string
  /**
   * Whether the marker text, which stands in for restricted data, reached a sink. The run then
   * violates the policy.
   */
  readonly isReached: boolean
}

/**
 * Maximum number of answers in one run that checks a `noFlow` policy. At this number, the run is
 * cancelled.
 */
const maxAnswers = 300

/**
 * Returns how many scripted model responses of one turn may contain tool calls. Without this limit,
 * a turn could continue forever.
 */
const maxRounds = ({ chart, attempt }: Pick<FlowOptions, "chart" | "attempt">): number =>
  attempt < 3 && chart.settings.maxModelCallsPerTurn > 2 ? 2 : 1

/**
 * Runs a chart in this process with simulated services to check a `noFlow` policy. A marker text
 * stands in for the data that the policy restricts. Models and tools that receive the marker copy
 * it into their responses. Host functions copy it only if the policy file allows it.
 */
export async function runGuidedFlow(options: FlowOptions): Promise<FlowRun> {
  const { chart, endpoints } = options
  const directed = directedServices(options, await loadStubParts())
  const clock = manualClock(startTime)
  const runner = createRunner({ ...directed.services, responseCache: null, clock })
  const events: RunEvent[] = []
  const { prompt, state } = markedInput(endpoints, {}, options.prompt)
  try {
    const run = runner.start(chart, { runId: "counterexample", prompt, state })
    const subscription = run.events$.subscribe((event) => events.push(event))
    const marks = new FlowMarks(chart, endpoints, options.set)
    const stage = new FlowStage(options, directed, run, marks)
    for (let count = 0; count < maxAnswers; count++) {
      await settleRun(events, directed.calls)
      marks.look(events)
      if (events.at(-1)?.type === "run.finished") break
      if (!stage.answer(isIdle(events)) && !clock.advance()) break
    }
    const isComplete = events.at(-1)?.type === "run.finished"
    if (!isComplete) run.cancel()
    subscription.unsubscribe()
    const { answers } = stage
    const log = { events, calls: directed.calls, answers, isComplete, obstacles: [], late: 0 }
    return { ...log, state, prompt, isReached: marks.isReached }
  } finally {
    await runner.close()
  }
}

class FlowStage {
  readonly answers: AnswerEntry[] = []
  readonly #options: FlowOptions
  readonly #directed: DirectedServices
  readonly #run: Run
  readonly #marks: FlowMarks
  readonly #rounds = new Map<string, number>()
  #messages = 0

  constructor(options: FlowOptions, directed: DirectedServices, run: Run, marks: FlowMarks) {
    this.#options = options
    this.#directed = directed
    this.#run = run
    this.#marks = marks
  }

  /**
   * Answers one unanswered call or pending request of the run. If there is none and `canSay` is
   * true, sends a user message instead. Returns false if neither is possible.
   */
  answer(canSay: boolean): boolean {
    const waiting = this.#nextWaiting()
    if (waiting !== undefined) {
      this.#marks.lookAt(waiting)
      waiting.answerWith(this.#answerOf(waiting))
      return true
    }
    const [request] = this.#run.pending()
    if (request !== undefined) return this.#submit(this.#answerOfPerson(request))
    if (!canSay || this.#messages >= 2) return false
    this.#messages++
    return this.#submit({ user: "again" })
  }

  /**
   * Returns the unanswered call to answer next. If `attempt` is even, calls of agents in the
   * counterexample come first. Without this order, another branch of a parallel block could end the
   * block before these calls are answered.
   */
  #nextWaiting(): Waiting | undefined {
    const { path, attempt } = this.#options
    const waiting = [...this.#directed.waiting]
    const onPath = attempt % 2 === 0 ? path : []
    const found = onPath.flatMap(({ agent }) => waiting.find((one) => one.agent === agent) ?? [])
    return found[0] ?? waiting[0]
  }

  #submit(answer: SubmittedAnswer): boolean {
    this.answers.push(answer)
    submitAnswer(answer, this.#run)
    return true
  }

  #answerOfPerson(request: PendingRequest): SubmittedAnswer {
    const { endpoints, attempt } = this.#options
    const isRejected =
      request.kind === "approval" && endpoints.isCleanedByApproval && attempt % 2 === 1
    return answerTo(request, isRejected ? "reject" : null, this.#marks.answerOf(request))
  }

  #answerOf(waiting: Waiting): JsonObject | StubStep {
    switch (waiting.kind) {
      case "model":
        return failureTowardsSink(waiting, this.#options) ?? this.#response(waiting)
      case "tool":
        return { json: this.#marks.resultOf(waiting, this.#marks.isSeenBy(waiting)) }
      case "listed":
        return { return: this.#marks.resultOf(waiting, this.#marks.isSeenBy(waiting)) }
      case "function":
        return this.#function(waiting)
    }
  }

  #response(waiting: Waiting): JsonObject {
    const { agent, call } = waiting
    const { chart, path, attempt } = this.#options
    const definition = chart.agents[agent]
    const turn = call.slice(0, call.lastIndexOf("#"))
    const rounds = this.#rounds.get(turn) ?? 0
    this.#rounds.set(turn, rounds + 1)
    const isSeen = this.#marks.isSeenBy(waiting)
    // The first attempt only calls tools on the path, so that it stays below the limits of the run.
    const isCalled = (tool: string): boolean =>
      attempt > 0 || path.some(({ does }) => does.includes(` of ${tool}.`))
    const tools = this.#toolsOf(definition).filter(isCalled)
    if (rounds < maxRounds(this.#options) && tools.length > 0)
      return {
        content: null,
        toolCalls: tools.map((tool) =>
          toolCall(
            tool,
            isSeen ? markedArguments(agent, tool, chart) : argumentsOf(agent, tool, chart),
          ),
        ),
      }
    const target = this.#targetOf(definition, turn)
    if (target !== null)
      return { content: null, toolCalls: [toolCall(transferTool, { agent_name: target })] }
    if (!this.#marks.marksTextOf(agent))
      return { content: attempt % 2 === 1 ? null : textOf(agent, undefined, chart) }
    const isOnPath = path.some(({ does }) => does.includes(`the text of ${agent}`))
    const isMarkedText = isSeen && (isOnPath || attempt % 3 !== 2)
    return { content: isMarkedText ? markedText(agent, chart) : textOf(agent, undefined, chart) }
  }

  #toolsOf(definition: AgentDefinition | undefined): readonly string[] {
    const { chart, listsOf } = this.#options
    if (definition?.type !== "LlmAgent") return []
    const own = definition.tools.filter((name) => {
      const type = chart.tools[name]?.type ?? "Toolset"
      return type !== "ExitLoopTool" && type !== "Toolset" && name !== exitLoop
    })
    const listed = (definition.toolsets ?? []).flatMap((id) => {
      const toolset = chart.tools[id]
      if (toolset?.type !== "Toolset") return []
      const { prefix, service } = toolset
      return listsOf(service).map((name) => (prefix === undefined ? name : `${prefix}_${name}`))
    })
    return [...own, ...listed]
  }

  /**
   * Returns the agent to which the agent of `definition` transfers the conversation in this turn.
   * Selects only agents that occur in the counterexample. Returns null if the agent does not
   * transfer the conversation.
   */
  #targetOf(definition: AgentDefinition | undefined, turn: string): string | null {
    if (definition?.type !== "LlmAgent") return null
    const { path, attempt } = this.#options
    const key = `transfer ${turn}`
    if (attempt % 2 === 1 || this.#rounds.has(key)) return null
    const agents = path.flatMap(({ agent }) => agent ?? [])
    const target = definition.transferTargets.find((one) => agents.includes(one))
    if (target === undefined) return null
    this.#rounds.set(key, 1)
    return target
  }

  #function(waiting: Waiting): StubStep {
    const { chart, set, attempt } = this.#options
    const { id, hook, tool, agent } = waiting
    const declared = permissionsOf(set, id)
    const isSeen = this.#marks.isSeenBy(waiting)
    const keys = declared?.mayWrite ?? []
    const written =
      keys.length === 0
        ? {}
        : { set: Object.fromEntries(keys.map((key) => [key, isSeen ? marker : "ok"])) }
    if (hook === "policy") return { return: { outcome: this.#options.decisionOf(id, tool ?? "") } }
    if (hook !== null)
      return isSeen && declared?.mayAnswer === true && attempt % 2 === 0
        ? { ...written, return: tool === null ? { content: marker } : { note: marker } }
        : written
    const kind = chart.services?.[id]?.kind
    if (kind === "agent") return this.#custom(waiting, written)
    const routes = declared?.mayReturn ?? null
    if (kind === "router")
      return { ...written, return: routesFrom(chart, agent, routes)[attempt] ?? "none" }
    if (tool !== null || kind === "tool")
      return { ...written, return: this.#marks.resultOf(waiting, isSeen) }
    return { ...written, ...(isSeen ? { return: marker } : defaultStep(waiting)) }
  }

  /**
   * Returns the next action of a stub that replaces a custom agent. The stub runs the sub-agents in
   * the order of the counterexample. After the last sub-agent, returns `usual`.
   */
  #custom({ call, id }: Waiting, usual: StubStep): StubStep {
    const { chart, path } = this.#options
    const agents = subAgentsOf(chart, id)
    const order = [...new Set(path.flatMap(({ agent }) => agent ?? []))].filter((one) =>
      agents.includes(one),
    )
    const chosen = order.length === 0 ? agents : order
    const index = this.#rounds.get(call) ?? 0
    this.#rounds.set(call, index + 1)
    const next = chosen[index]
    return next === undefined ? usual : { run: next }
  }
}
