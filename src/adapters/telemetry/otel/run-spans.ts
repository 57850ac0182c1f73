import type { Attributes, Context, SpanContext, Tracer } from "@opentelemetry/api"
import type { TokenUsage } from "../../../machines/contract/budget.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import { toolSegment } from "../../../machines/model-call/llm-agent-context.js"
import type {
  EmittedEvent,
  RunBoundaryEvent,
  RunResult,
} from "../../../machines/contract/run-event.js"
import { addTokens } from "../../../machines/contract/budget.js"
import { SpanKind, context, trace } from "./api.js"
import type { Named } from "./conventions.js"
import { agentSpan, chatSpan, toolSpan, usageOf, workflowSpan } from "./conventions.js"
import { spanEventAttributes } from "./span-events.js"
import type { Failure, Work } from "./span-tree.js"
import { contextOf, spanTree } from "./span-tree.js"

export interface SpanOptions extends Named {
  /** Default: that of the registered provider, named `agent-statecharts`. */
  readonly tracer?: Tracer
  /** What the spans stand in; default the active context. */
  readonly parent?: Context
  /** Prompts, answers, arguments, results, error messages. Default false: they may hold what nobody meant to log. */
  readonly captureContent?: boolean
  /** Of a run that is taken up again: what happened before makes no spans. `link` is where its spans were then, `at` when it was taken up; default now. */
  readonly resumed?: { readonly link?: SpanContext; readonly at?: number }
}

export interface RunSpans {
  hear(event: EmittedEvent | RunBoundaryEvent, at: number, runId: string | null): void
  /** The past is over: of what is open spans are made, which begin now. */
  wake(at: number): void
  /** Ends what is open; `result` where no event has told it. */
  end(at: number, result?: RunResult): void
  /** Of the workflow's span, to be kept for `resumed.link`; null before there is one. */
  spanContext(): SpanContext | null
}

/** The calls and agents at one path that are open. */
interface Standing {
  readonly agents: Work[]
  chat: Work | null
  /** By how they stand in paths. */
  readonly tools: Map<string, Work>
  /** By the model calls of the turn; null: none has said. */
  used: TokenUsage | null
}

/** Makes spans of the events of one run. */
export function runSpans(options: SpanOptions): RunSpans {
  const {
    tracer = trace.getTracer("agent-statecharts"),
    parent = context.active(),
    captureContent = false,
    resumed,
  } = options
  const tree = spanTree(tracer, parent, resumed === undefined)
  let standings = new Map<string, Standing>()
  let root: Work | null = null
  /** Where the run's last span was: an invocation, or a run that is taken up, is linked to what came before it. */
  let before: SpanContext | null = resumed?.link ?? null
  let isOver = false
  let leaving: { readonly to: string; readonly from: SpanContext | null } | null = null
  let lastLeft: SpanContext | null = null

  const content = (attributes: () => Attributes): Attributes => (captureContent ? attributes() : {})
  const failure = (type: string, message: string | null = null): Failure => ({
    type,
    message: captureContent ? message : null,
  })
  const standingAt = (path: string): Standing => {
    const known = standings.get(path)
    if (known !== undefined) return known
    const made: Standing = { agents: [], chat: null, tools: new Map(), used: null }
    standings.set(path, made)
    return made
  }
  const rootAt = (
    event: EmittedEvent | RunBoundaryEvent | null,
    at: number,
    runId: string | null,
  ): Work => {
    if (root !== null) return root
    const workflow = options.chart?.id ?? (event?.type === "run.started" ? event.agent : null)
    const links = before === null ? [] : [{ context: before }]
    root = tree.begin(workflowSpan(workflow, runId, options), null, at, { links })
    return root
  }
  /** The innermost work that is open around a path, or at it. */
  const around = (path: string): Work | null => {
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
      const at = path.slice(0, end)
      // What runs in an iteration stands at `rounds[1]/writer`, the loop itself at `rounds`.
      const agent =
        standings.get(at)?.agents.at(-1) ?? standings.get(at.replace(/\[\d+\]$/, ""))?.agents.at(-1)
      if (agent !== undefined) return agent
      const slash = path.lastIndexOf("/", end - 1)
      const segment = path.slice(slash + 1, end).replace(/#\d+$/, "")
      if (!segment.startsWith("tool:")) continue
      const tool = standings
        .get(path.slice(0, Math.max(slash, 0)))
        ?.tools.get(segment.replace(/~\d+$/, ""))
      if (tool !== undefined) return tool
    }
    return root
  }
  const closeChat = (path: string, at: number, why: Failure | null): void => {
    const standing = standings.get(path)
    if (standing?.chat == null) return
    tree.end(standing.chat, at, why)
    standing.chat = null
  }
  const finishInvocation = (at: number, why: Failure | null): void => {
    if (root === null) return
    tree.end(root, at, why)
    before = contextOf(root) ?? before
    root = null
    standings = new Map()
  }

  const tell = (event: EmittedEvent | RunBoundaryEvent, at: number, runId: string | null): void => {
    if (event.type === "run.finished") return finish(at, event.result)
    const { agent, path, branch } = event
    const workflow = rootAt(event, at, runId)
    const standing = standingAt(path)
    switch (event.type) {
      case "run.started":
        tree.describe(workflow, {
          "agent_statecharts.chart": event.chart,
          ...content(() =>
            event.prompt === null ? {} : { "gen_ai.input.messages": said("user", event.prompt) },
          ),
        })
        return
      case "agent.started": {
        const links =
          leaving?.to === agent && leaving.from !== null ? [{ context: leaving.from }] : []
        if (leaving?.to === agent) leaving = null
        const work = tree.begin(
          agentSpan(agent, event.kind, path, branch, options),
          around(path) ?? workflow,
          at,
          { links },
        )
        standing.agents.push(work)
        standing.used = null
        return
      }
      case "agent.finished": {
        const work = standing.agents.pop()
        if (work === undefined) return
        const why =
          event.outcome === "failed" || event.outcome === "limited"
            ? failure(event.error?.code ?? event.outcome, event.error?.message ?? null)
            : null
        closeChat(path, at, why ?? (event.outcome === "stopped" ? failure("stopped") : null))
        tree.describe(work, {
          "agent_statecharts.outcome": event.outcome,
          ...(standing.used === null ? {} : usageOf(standing.used)),
          ...content(() =>
            event.text === null ? {} : { "gen_ai.output.messages": said("assistant", event.text) },
          ),
        })
        if (event.outcome === "handedOff") lastLeft = contextOf(work)
        tree.end(work, at, why)
        if (standing.agents.length === 0) standings.delete(path)
        return
      }
      case "model.called":
        closeChat(path, at, null)
        standing.chat = tree.begin(
          chatSpan(agent, event.attempt, options),
          around(path) ?? workflow,
          at,
          { kind: SpanKind.CLIENT },
        )
        return
      case "model.responded": {
        const { usage, content: text, toolCalls } = event.answer
        if (standing.chat !== null && usage !== null) tree.describe(standing.chat, usageOf(usage))
        if (usage !== null) standing.used = addTokens(standing.used, usage)
        if (standing.chat !== null)
          tree.describe(
            standing.chat,
            content(() => ({ "gen_ai.output.messages": answered(text, toolCalls) })),
          )
        closeChat(path, at, null)
        return
      }
      case "tool.called": {
        const segment = toolSegment(event.callId)
        const open = standing.tools.get(segment)
        // Another attempt, or the same call once a person has consented to it.
        if (open !== undefined)
          return tree.note(open, "tool.called", { "agent_statecharts.attempt": event.attempt }, at)
        const work = tree.begin(
          toolSpan(event.tool, event.callId, agent, options),
          around(path) ?? workflow,
          at,
        )
        tree.describe(
          work,
          content(() => ({ "gen_ai.tool.call.arguments": JSON.stringify(event.arguments) })),
        )
        standing.tools.set(segment, work)
        return
      }
      case "tool.finished": {
        const segment = toolSegment(event.callId)
        // A call that was refused, or needs nobody to carry it out, was never begun: it has a span without a length.
        const work =
          standing.tools.get(segment) ??
          tree.begin(
            toolSpan(event.tool, event.callId, agent, options),
            around(path) ?? workflow,
            at,
          )
        standing.tools.delete(segment)
        tree.describe(
          work,
          content(() => ({ "gen_ai.tool.call.result": JSON.stringify(event.response) })),
        )
        const told = errorIn(event.response)
        return tree.end(work, at, told === null ? null : failure("tool_call_failed", told))
      }
      case "retry.scheduled": {
        const segment = /\/(tool:[^/#~]*)(?:~\d+)?#\d+$/.exec(event.of)?.[1]
        if (segment === undefined)
          return closeChat(path, at, failure(event.error.code, event.error.message))
        tree.note(
          standing.tools.get(segment) ?? around(path) ?? workflow,
          event.type,
          spanEventAttributes(event) ?? {},
          at,
        )
        return
      }
      case "handoff":
        leaving = { to: event.to, from: lastLeft }
        tree.note(around(path) ?? workflow, event.type, spanEventAttributes(event) ?? {}, at)
        return
      case "invocation.finished":
        tree.describe(workflow, {
          "agent_statecharts.status": "completed",
          ...content(() =>
            event.text === null ? {} : { "gen_ai.output.messages": said("assistant", event.text) },
          ),
        })
        return finishInvocation(at, null)
      default: {
        const noted = spanEventAttributes(event)
        if (noted !== null)
          tree.note(
            around(path) ?? workflow,
            event.type,
            {
              ...noted,
              ...content(() =>
                event.type === "warning" ? { "agent_statecharts.message": event.message } : {},
              ),
            },
            at,
          )
      }
    }
  }
  const finish = (at: number, result: RunResult | null): void => {
    isOver = true
    if (root === null) return
    if (result !== null) {
      tree.describe(root, {
        "agent_statecharts.status": result.status,
        ...content(() =>
          result.text === null ? {} : { "gen_ai.output.messages": said("assistant", result.text) },
        ),
      })
    }
    const isFailed = result?.status === "failed" || result?.status === "limit"
    finishInvocation(
      at,
      isFailed ? failure(result.error?.code ?? result.status, result.error?.message ?? null) : null,
    )
  }
  return {
    hear(event, at, runId) {
      if (!isOver) tell(event, at, runId)
    },
    wake(at) {
      if (root !== null && before !== null) root.links = [{ context: before }]
      tree.wake(at, root === null ? [] : [root])
    },
    end: (at, result) => finish(at, result ?? null),
    spanContext: () => (root === null ? before : (contextOf(root) ?? before)),
  }
}

const said = (role: string, text: string): string =>
  JSON.stringify([{ role, parts: [{ type: "text", content: text }] }])

const answered = (
  text: string | null,
  toolCalls: readonly {
    readonly id: string | null
    readonly name: string
    readonly args: JsonObject
  }[],
): string =>
  JSON.stringify([
    {
      role: "assistant",
      parts: [
        ...(text === null ? [] : [{ type: "text", content: text }]),
        ...toolCalls.map(({ id, name, args }) => ({
          type: "tool_call",
          id,
          name,
          arguments: args,
        })),
      ],
    },
  ])

/** A failed call is told to the model as an object with an error and nothing else. */
function errorIn(response: JsonObject): string | null {
  const { error, ...others } = response
  return typeof error === "string" && Object.keys(others).length === 0 ? error : null
}
