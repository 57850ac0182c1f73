import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Outcome } from "../../machines/contract/run-event.js"
import type { JudgedEvent } from "./judged-event.js"
import { toolSegment } from "../../machines/model-call/llm-agent-context.js"
import type { Frame, Occurrence } from "../occurrence.js"
import { permissionsOf } from "../permissions-of.js"
import type { PolicySet } from "../policy.js"
import { CallApprovals } from "./call-approvals.js"
import type { ChartNames } from "./chart-names.js"
import { OpenCalls } from "./open-calls.js"
import { PathFrames } from "./path-frames.js"

type EventOf<Type extends JudgedEvent["type"]> = Extract<JudgedEvent, { type: Type }>

type Cause = Pick<Occurrence, "agent" | "within">

interface ReadPolicies {
  readonly chart: Pick<AgentChart, "dialect">
  readonly set: Pick<PolicySet, "functions">
  readonly names: ChartNames
}

/**
 * Converts the events of a run to occurrences that policies can refer to (docs/policies.md#atoms).
 * `occurrencesOf` has no side effects, so an event can be checked before it happens. `follow`
 * updates the state of the reader after the event.
 */
export class OccurrenceReader {
  readonly #isAdk: boolean
  readonly #names: ChartNames
  readonly #functions: Pick<PolicySet, "functions">
  /** Whether the policy file declares tool calls (`mayCall`) of any host function. */
  readonly #hasCalls: boolean
  readonly #frames: PathFrames
  readonly #approvals = new CallApprovals()
  readonly #calls = new OpenCalls()
  /** The names of the agents that wait for a person's answer, by request id. */
  readonly #questions = new Map<string, string>()
  #lastOutcome: Outcome | null = null

  constructor({ chart, set, names }: ReadPolicies) {
    this.#isAdk = chart.dialect === "adk"
    this.#names = names
    this.#frames = new PathFrames(names)
    this.#functions = set
    this.#hasCalls = Object.values(set.functions).some(({ mayCall }) => mayCall.length > 0)
  }

  /** Returns the occurrences (actions such as tool calls) that an event reports, in order. */
  occurrencesOf(event: JudgedEvent): readonly Occurrence[] {
    switch (event.type) {
      case "run.started":
        return [runOf("started")]
      case "run.finished":
        return [runOf(this.#endOf(event))]
      case "invocation.finished":
        return this.#isAdk ? [runOf("completed")] : []
      case "agent.started":
        return this.#started(event)
      case "agent.finished":
        return this.#finished(event)
      case "model.called":
        return event.attempt > 1 ? [] : [this.#of(event, "model", this.#names.modelOf(event))]
      case "tool.called":
        return this.isCounted(event) ? this.#called(event, this.isApproved(event)) : []
      case "tool.finished":
        return this.isCounted(event) ? this.#returned(event, isErrorResult(event)) : []
      case "state.changed": {
        const cause = this.#cause(event)
        const set = Object.entries(event.set).map(([name, value]): Occurrence => ({
          ...cause,
          kind: "write",
          name,
          value,
        }))
        const removed = event.removed.map((name): Occurrence => ({ ...cause, kind: "write", name }))
        return [...set, ...removed]
      }
      case "handoff":
        return [this.#of(event, "handoff", event.to)]
      case "human.answered":
        return this.#answered(event)
      case "user.said":
        // A message without a request id begins the next invocation.
        return event.id === ""
          ? [{ ...runOf("message"), kind: "message" }]
          : [this.#of(event, "answer", this.#questions.get(event.id) ?? event.agent)]
      case "loop.iterated": {
        const within = this.#frames.of(event.path)
        const activity: Frame = { id: event.path, agent: event.agent, tool: null }
        return [{ agent: event.agent, within, kind: "iterated", name: event.agent, activity }]
      }
      case "parallel.joined":
        return dropped(event.path)
      default:
        return []
    }
  }

  /**
   * Returns the usual and the alternative occurrences of an event. The alternative applies to
   * approved tool calls and to error results of tools. For other events, both lists are equal.
   */
  variantsOf(event: JudgedEvent): readonly [readonly Occurrence[], readonly Occurrence[]] {
    switch (event.type) {
      case "tool.called":
        return [this.#called(event, false), this.#called(event, true)]
      case "tool.finished":
        return [this.#returned(event, false), this.#returned(event, true)]
      case "model.called": {
        const calls = [this.#of(event, "model", this.#names.modelOf(event))]
        return [calls, calls]
      }
      default: {
        const occurrences = this.occurrencesOf(event)
        return [occurrences, occurrences]
      }
    }
  }

  /**
   * Returns whether an event counts for policies. Retries after a failure do not count. A call that
   * is repeated with the same idempotency key after a person's consent does not count either.
   */
  isCounted(event: JudgedEvent): boolean {
    switch (event.type) {
      case "model.called":
        return event.attempt === 1
      case "tool.called":
        return event.attempt === 1 && !this.#calls.isConsented(event)
      case "tool.finished":
        return this.#calls.openOf(event) > 0
      default:
        return true
    }
  }

  isApproved(call: EventOf<"tool.called">): boolean {
    return this.#approvals.isApproved(call)
  }

  /**
   * Updates the state of this object after an event. `tracksCall` is the field
   * `EventPlan.tracksCall` for this event, which is true if a policy refers to the tool's result.
   */
  follow(event: JudgedEvent, tracksCall: boolean): void {
    this.#approvals.follow(event)
    switch (event.type) {
      case "agent.finished":
        this.#calls.close(event.path)
        this.#lastOutcome = event.outcome
        break
      case "tool.called":
        if (event.attempt === 1) this.#calls.begin(event, tracksCall)
        break
      case "tool.finished":
        this.#calls.end(event)
        break
      case "human.asked":
      case "user.awaited":
        if (event.request.kind === "auth")
          for (const { id } of event.request.toolCalls ?? [])
            this.#calls.awaitConsent({ path: event.path, callId: id })
        if (event.request.kind === "human" || event.request.kind === "input")
          this.#questions.set(event.request.id, event.request.agent)
        break
      case "human.answered":
      case "user.said":
      case "request.expired":
        this.#questions.delete(event.id)
        break
      default:
    }
  }

  /**
   * Returns the final status of a run as policies name it, which is `completed`, `failed`, `limit`
   * or `stopped`.
   */
  #endOf({ result: { status } }: EventOf<"run.finished">): string {
    if (status === "completed") return this.#lastOutcome === "stopped" ? "stopped" : status
    return status === "failed" || status === "limit" ? status : "stopped"
  }

  #started(event: EventOf<"agent.started">): readonly Occurrence[] {
    const { agent, path } = event
    const cause = this.#cause(event)
    const activity: Frame = { id: path, agent, tool: null }
    const tool = event.kind === "ToolNode" ? this.#names.ofStates.nodeTools.get(agent) : undefined
    return [
      { ...cause, kind: "start", name: agent, activity },
      ...(tool === undefined ? [] : [callOf(tool, cause, callFrame(path, tool))]),
      ...(this.#hasCalls
        ? this.#callsOf(this.#names.ofStates.agentServices.get(agent), cause)
        : []),
    ]
  }

  #finished(event: EventOf<"agent.finished">): readonly Occurrence[] {
    const { agent, path, outcome } = event
    const cause = this.#cause(event)
    const activity: Frame = { id: path, agent, tool: null }
    const tool = event.kind === "ToolNode" ? this.#names.ofStates.nodeTools.get(agent) : undefined
    const result: readonly Occurrence[] =
      tool === undefined
        ? []
        : [
            ...(outcome === "done" ? [{ ...cause, kind: "result", name: tool } as const] : []),
            { ...cause, kind: "returned", name: tool, activity: callFrame(path, tool) },
          ]
    return [
      ...result,
      { ...cause, kind: "finish", name: agent, activity, outcome },
      // Activities inside an agent end with the agent, even if no event reports their end.
      ...dropped(path),
    ]
  }

  #called(event: EventOf<"tool.called">, approved: boolean): readonly Occurrence[] {
    const cause = this.#cause(event)
    return [
      {
        ...callOf(event.tool, cause, this.#frameOf(event, this.#calls.openOf(event))),
        approved,
      },
      ...(this.#hasCalls ? this.#callsOf(this.#names.serviceOfTool(event.tool), cause) : []),
    ]
  }

  #returned(event: EventOf<"tool.finished">, isError: boolean): readonly Occurrence[] {
    const cause = this.#cause(event)
    const activity = this.#frameOf(event, Math.max(0, this.#calls.openOf(event) - 1))
    return [
      ...(isError ? [] : [{ ...cause, kind: "result", name: event.tool } as const]),
      { ...cause, kind: "returned", name: event.tool, activity },
    ]
  }

  #answered(event: EventOf<"human.answered">): readonly Occurrence[] {
    const { approved } = event.answer
    const asker = this.#questions.get(event.id)
    const answer = asker === undefined ? [] : [this.#of(event, "answer", asker)]
    if (typeof approved !== "boolean") return answer
    const kind = approved ? "approval" : "rejection"
    return this.#approvals.toolsOf(event.id).map((tool) => this.#of(event, kind, tool))
  }

  #callsOf(service: string | undefined, cause: Cause): readonly Occurrence[] {
    if (service === undefined) return []
    const { mayCall = [] } = permissionsOf(this.#functions, service) ?? {}
    return mayCall.map((tool): Occurrence => ({ ...callOf(tool, cause), approved: false }))
  }

  /**
   * Returns a tool call as a frame, which can enclose agent turns. `index` distinguishes calls with
   * the same id in one model response, starting at 0.
   */
  #frameOf({ path, callId, tool }: EventOf<"tool.called" | "tool.finished">, index: number): Frame {
    const frame = callFrame(path, callId, tool)
    return index === 0 ? frame : { ...frame, id: `${frame.id}~${index}` }
  }

  #of(event: JudgedEvent, kind: Occurrence["kind"], name: string): Occurrence {
    return { ...this.#cause(event), kind, name }
  }

  #cause({ agent, path }: JudgedEvent): Cause {
    return { agent, within: this.#frames.of(path) }
  }
}

/** Returns whether the result of a tool call is an error. */
export const isErrorResult = ({ response }: EventOf<"tool.finished">): boolean =>
  Object.hasOwn(response, "error") && Object.keys(response).length === 1

/**
 * Returns a tool call as a frame, which can enclose agent turns. Its id omits the response number,
 * so that it is the same at the start and end of the call.
 */
const callFrame = (path: string, callId: string, tool = callId): Frame => ({
  id: `${path}/${toolSegment(callId)}`,
  agent: null,
  tool,
})

const callOf = (tool: string, cause: Cause, activity?: Frame): Occurrence => ({
  ...cause,
  kind: "call",
  name: tool,
  ...(activity !== undefined && { activity }),
})

const runOf = (name: string): Occurrence => ({ kind: "run", name, agent: "", within: [] })

/**
 * Returns occurrences of the kind `dropped`. They end all agent turns and tool calls inside a path,
 * including those in branches and iterations.
 */
const dropped = (path: string): readonly Occurrence[] =>
  [`${path}/`, `${path}[`].map((name) => ({ kind: "dropped", name, agent: "", within: [] }))
