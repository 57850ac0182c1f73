import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Outcome } from "../../machines/contract/run-event.js"
import type { JudgedEvent } from "./judged-event.js"
import { toolSegment } from "../../machines/model-call/llm-agent-context.js"
import type { Frame, Occurrence } from "../occurrence.js"
import { permissionsOf } from "../permissions-of.js"
import type { PolicySet } from "../policy.js"
import { CallApprovals } from "./call-approvals.js"
import type { ChartNames } from "./chart-names.js"
import { PathFrames } from "./path-frames.js"

type EventOf<Type extends JudgedEvent["type"]> = Extract<JudgedEvent, { type: Type }>

type Cause = Pick<Occurrence, "agent" | "within">

/**
 * Translates the events of one run into occurrences, in the words of policies
 * (docs/policies.md#atoms). `occurrencesOf` reads an event without any effect, so an event can be
 * tried before it happens. `follow` then updates the state of the reader.
 */
export class OccurrenceReader {
  readonly #isAdk: boolean
  readonly #names: ChartNames
  readonly #functions: Pick<PolicySet, "functions">
  /** Whether a host function may call tools by itself. */
  readonly #hasCalls: boolean
  readonly #frames = new PathFrames()
  readonly #approvals = new CallApprovals()
  /** The tool calls that were made and have not returned, by path of the agent. */
  readonly #calls = new Map<string, Map<string, number>>()
  /** The agents that have asked a person, by id of the request. */
  readonly #questions = new Map<string, string>()
  /** Calls that wait for a consent, or have just been given one. */
  readonly #consents = new Set<string>()
  #lastOutcome: Outcome | null = null

  constructor(
    { dialect }: Pick<AgentChart, "dialect">,
    names: ChartNames,
    functions: Pick<PolicySet, "functions">,
  ) {
    this.#isAdk = dialect === "adk"
    this.#names = names
    this.#functions = functions
    this.#hasCalls = Object.values(functions.functions).some(({ mayCall }) => mayCall.length > 0)
  }

  /** Returns what occurs with an event, in order. */
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
        return event.attempt > 1 ? [] : [this.#of(event, "model", this.#names.modelOf(event.agent))]
      case "tool.called":
        return this.#called(event)
      case "tool.finished":
        return this.#returned(event)
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
        // A message that answers no request begins the next invocation.
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

  isApproved(call: EventOf<"tool.called">): boolean {
    return this.#approvals.isApproved(call)
  }

  /** Updates the state of the reader after an event. */
  follow(event: JudgedEvent): void {
    this.#approvals.follow(event)
    switch (event.type) {
      case "agent.finished":
        this.#calls.delete(event.path)
        this.#lastOutcome = event.outcome
        break
      case "tool.called": {
        if (event.attempt > 1 || this.#consents.delete(callFrame(event.path, event.callId).id))
          break
        const calls = this.#calls.get(event.path) ?? new Map<string, number>()
        calls.set(event.callId, (calls.get(event.callId) ?? 0) + 1)
        this.#calls.set(event.path, calls)
        break
      }
      case "tool.finished": {
        const calls = this.#calls.get(event.path)
        this.#consents.delete(callFrame(event.path, event.callId).id)
        const left = (calls?.get(event.callId) ?? 0) - 1
        if (left > 0) calls?.set(event.callId, left)
        else calls?.delete(event.callId)
        break
      }
      case "human.asked":
      case "user.awaited":
        if (event.request.kind === "auth")
          for (const { id } of event.request.toolCalls ?? [])
            this.#consents.add(callFrame(event.path, id).id)
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

  /** Returns how a run has ended. `end` completes a run whose root has not finished. */
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
      // Activities inside an agent end with the agent, also without an event of their own.
      ...dropped(path),
    ]
  }

  #called(event: EventOf<"tool.called">): readonly Occurrence[] {
    if (event.attempt > 1 || this.#isRepeated(event)) return []
    const cause = this.#cause(event)
    return [
      {
        ...callOf(event.tool, cause, this.#frameOf(event, this.#openCalls(event))),
        approved: this.#approvals.isApproved(event),
      },
      ...(this.#hasCalls ? this.#callsOf(this.#names.serviceOfTool(event.tool), cause) : []),
    ]
  }

  #returned(event: EventOf<"tool.finished">): readonly Occurrence[] {
    const open = this.#openCalls(event)
    if (open === 0) return []
    const cause = this.#cause(event)
    const keys = Object.keys(event.response)
    const isError = keys.length === 1 && keys[0] === "error"
    return [
      ...(isError ? [] : [{ ...cause, kind: "result", name: event.tool } as const]),
      {
        ...cause,
        kind: "returned",
        name: event.tool,
        activity: this.#frameOf(event, open - 1),
      },
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

  /** A call is repeated after a consent, with the same idempotency key. */
  #isRepeated({ path, callId }: EventOf<"tool.called">): boolean {
    return this.#consents.has(callFrame(path, callId).id)
  }

  #callsOf(service: string | undefined, cause: Cause): readonly Occurrence[] {
    if (service === undefined) return []
    const { mayCall = [] } = permissionsOf(this.#functions, service) ?? {}
    return mayCall.map((tool): Occurrence => ({ ...callOf(tool, cause), approved: false }))
  }

  #openCalls({ path, callId }: { readonly path: string; readonly callId: string }): number {
    return this.#calls.get(path)?.get(callId) ?? 0
  }

  /** Returns the activity of a call. A response can contain the same call id more than once. */
  #frameOf({ path, callId, tool }: EventOf<"tool.called" | "tool.finished">, twin: number): Frame {
    const frame = callFrame(path, callId, tool)
    return twin === 0 ? frame : { ...frame, id: `${frame.id}~${twin}` }
  }

  #of(event: JudgedEvent, kind: Occurrence["kind"], name: string): Occurrence {
    return { ...this.#cause(event), kind, name }
  }

  #cause({ agent, path }: JudgedEvent): Cause {
    return { agent, within: this.#frames.of(path) }
  }
}

/** The activity of a tool call. Its id is the path of the call without the number of the response. */
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

/** All activities inside a path end, in branches and in iterations. */
const dropped = (path: string): readonly Occurrence[] =>
  [`${path}/`, `${path}[`].map((name) => ({ kind: "dropped", name, agent: "", within: [] }))
