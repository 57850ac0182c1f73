import type { Attributes, Context, SpanContext, Tracer } from "@opentelemetry/api"
import { toolSegment } from "../../../machines/model-call/llm-agent-context.js"
import type {
  EmittedEvent,
  RunBoundaryEvent,
  RunResult,
} from "../../../machines/contract/run-event.js"
import { addTokens } from "../../../machines/contract/budget.js"
import { SpanKind, context, trace } from "./api.js"
import type { ConventionOptions } from "./span-descriptions.js"
import {
  agentSpan,
  chatSpan,
  nodeSpan,
  toolSpan,
  usageAttributes,
  workflowSpan,
} from "./span-descriptions.js"
import { errorIn, modelMessage, nodeErrorOf, textMessage } from "./message-content.js"
import { OpenWork } from "./open-work.js"
import { spanEventAttributes } from "./span-events.js"
import type { SpanFailure, Work } from "./span-tree.js"
import { contextOf, spanTree } from "./span-tree.js"

export interface SpanOptions extends ConventionOptions {
  /**
   * OpenTelemetry tracer that creates the spans. Default: the tracer `agent-statecharts` of the
   * registered provider.
   */
  readonly tracer?: Tracer
  /** OpenTelemetry context of the workflow span's parent. Default: the active context. */
  readonly parent?: Context
  /**
   * Whether to record prompts, responses, arguments, results and error messages in spans. Default:
   * false, because they may contain private data.
   */
  readonly captureContent?: boolean
  /**
   * Set this option if the run is resumed. Past events then create no spans. `link` is the context
   * of the original workflow span, to which the new workflow span is linked. `time` is the time at
   * which the run was resumed, in milliseconds since the epoch. Default: the current time.
   */
  readonly resumed?: { readonly link?: SpanContext; readonly time?: number }
}

/** Creates OpenTelemetry spans for one run. All times are in milliseconds since the epoch. */
export interface RunSpans {
  record(event: EmittedEvent | RunBoundaryEvent, time: number, runId: string | null): void
  /**
   * Starts to create spans. Call this method after the past events of a resumed run. Agents and
   * calls that have not ended receive spans that start at `time`.
   */
  startRecording(time: number): void
  /**
   * Ends all open spans. `result` is the result of the run. It is used only if no event has
   * reported the result.
   */
  end(time: number, result?: RunResult): void
  /**
   * Returns the context of the workflow span. Pass it as `resumed.link` when the run is resumed, so
   * that the new span is linked to this span. Returns null if no span was created yet.
   */
  spanContext(): SpanContext | null
}

/** Creates the object that converts the events of one run to OpenTelemetry spans. */
export function runSpans(options: SpanOptions): RunSpans {
  const {
    tracer = trace.getTracer("agent-statecharts"),
    parent = context.active(),
    captureContent = false,
    resumed,
  } = options
  const tree = spanTree(tracer, parent, resumed === undefined)
  const open = new OpenWork()
  let root: Work | null = null
  // Each new invocation and each resumed run links to the previous workflow span.
  let previousContext: SpanContext | null = resumed?.link ?? null
  let hasEnded = false
  let handoff: { readonly to: string; readonly from: SpanContext | null } | null = null
  let lastHandedOff: SpanContext | null = null

  const content = (attributes: () => Attributes): Attributes => (captureContent ? attributes() : {})
  const outputText = (text: string | null): Attributes =>
    content(() =>
      text === null ? {} : { "gen_ai.output.messages": textMessage("assistant", text) },
    )
  const failure = (type: string, message: string | null = null): SpanFailure => ({
    type,
    message: captureContent ? message : null,
  })
  const ensureRoot = (
    event: EmittedEvent | RunBoundaryEvent,
    time: number,
    runId: string | null,
  ): Work => {
    if (root !== null) return root
    const workflow = options.chart?.id ?? (event.type === "run.started" ? event.agent : null)
    const links = previousContext === null ? [] : [{ context: previousContext }]
    root = tree.begin(workflowSpan(workflow, runId, options), null, time, { links })
    return root
  }
  const endChat = (path: string, time: number, why: SpanFailure | null): void => {
    const chat = open.takeChat(path)
    if (chat !== null) tree.end(chat, time, why)
  }
  const endInvocation = (time: number, why: SpanFailure | null): void => {
    if (root === null) return
    tree.end(root, time, why)
    previousContext = contextOf(root) ?? previousContext
    root = null
    open.clear()
  }

  const recordEvent = (
    event: EmittedEvent | RunBoundaryEvent,
    time: number,
    runId: string | null,
  ): void => {
    if (event.type === "run.finished") return finish(time, event.result)
    const { agent, path, branch } = event
    const workflow = ensureRoot(event, time, runId)
    const pathWork = open.workAt(path)
    const enclosing = open.around(path) ?? workflow
    switch (event.type) {
      case "run.started":
        tree.setAttributes(workflow, {
          "agent_statecharts.chart": event.chart,
          ...content(() =>
            event.prompt === null
              ? {}
              : { "gen_ai.input.messages": textMessage("user", event.prompt) },
          ),
        })
        return
      case "agent.started": {
        const links =
          handoff?.to === agent && handoff.from !== null ? [{ context: handoff.from }] : []
        if (handoff?.to === agent) handoff = null
        const work = tree.begin(
          agentSpan(agent, event.kind, path, branch, options),
          enclosing,
          time,
          { links },
        )
        pathWork.agents.push(work)
        pathWork.usage = null
        return
      }
      case "agent.finished": {
        const work = pathWork.agents.pop()
        if (work === undefined) return
        const why =
          event.outcome === "failed" || event.outcome === "limited"
            ? failure(event.error?.code ?? event.outcome, event.error?.message ?? null)
            : null
        endChat(path, time, why ?? (event.outcome === "stopped" ? failure("stopped") : null))
        tree.setAttributes(work, {
          "agent_statecharts.outcome": event.outcome,
          ...(pathWork.usage !== null && usageAttributes(pathWork.usage)),
          ...outputText(event.text),
        })
        if (event.outcome === "handedOff") lastHandedOff = contextOf(work)
        tree.end(work, time, why)
        if (pathWork.agents.length === 0) open.remove(path)
        return
      }
      case "node.started":
        pathWork.agents.push(
          tree.begin(nodeSpan(event.node, path, branch, options), enclosing, time),
        )
        return
      case "node.finished": {
        const work = event.node === undefined ? undefined : pathWork.agents.pop()
        if (work === undefined) return
        open.remove(path)
        const error = nodeErrorOf(event)
        return tree.end(work, time, error && failure(error.type, error.message))
      }
      case "model.called":
        endChat(path, time, null)
        pathWork.chat = tree.begin(chatSpan(event, options), enclosing, time, {
          kind: SpanKind.CLIENT,
        })
        return
      case "model.responded": {
        const { usage, cached } = event.answer
        if (usage !== null) pathWork.usage = addTokens(pathWork.usage, usage)
        if (pathWork.chat !== null)
          tree.setAttributes(pathWork.chat, {
            ...(usage !== null && usageAttributes(usage)),
            ...(cached !== undefined && { "agent_statecharts.cached": true }),
            ...content(() => ({ "gen_ai.output.messages": modelMessage(event.answer) })),
          })
        endChat(path, time, null)
        return
      }
      case "tool.called": {
        const segment = toolSegment(event.callId)
        const openCall = pathWork.tools.get(segment)
        // The call is a further attempt, or the same call after a person has approved it.
        if (openCall !== undefined)
          return tree.addEvent(
            openCall,
            "tool.called",
            { "agent_statecharts.attempt": event.attempt },
            time,
          )
        const work = tree.begin(
          toolSpan(event.tool, event.callId, agent, path, options),
          enclosing,
          time,
        )
        tree.setAttributes(
          work,
          content(() => ({ "gen_ai.tool.call.arguments": JSON.stringify(event.arguments) })),
        )
        pathWork.tools.set(segment, work)
        return
      }
      case "tool.finished": {
        const segment = toolSegment(event.callId)
        // A call that was rejected, or answered by the library itself, has no `tool.called` event.
        // Its span is started here and has no duration.
        const work =
          pathWork.tools.get(segment) ??
          tree.begin(toolSpan(event.tool, event.callId, agent, path, options), enclosing, time)
        pathWork.tools.delete(segment)
        tree.setAttributes(
          work,
          content(() => ({ "gen_ai.tool.call.result": JSON.stringify(event.response) })),
        )
        const error = errorIn(event.response)
        return tree.end(work, time, error === null ? null : failure("tool_call_failed", error))
      }
      case "retry.scheduled": {
        if (event.callId === undefined)
          endChat(path, time, failure(event.error.code, event.error.message))
        const tool =
          event.callId === undefined ? null : pathWork.tools.get(toolSegment(event.callId))
        return tree.addEvent(tool ?? enclosing, event.type, spanEventAttributes(event) ?? {}, time)
      }
      case "invocation.finished":
        tree.setAttributes(workflow, {
          "agent_statecharts.status": "completed",
          ...outputText(event.text),
        })
        return endInvocation(time, null)
      default: {
        if (event.type === "handoff") handoff = { to: event.to, from: lastHandedOff }
        if (event.type === "model.fallback")
          endChat(path, time, failure(event.error.code, event.error.message))
        const attributes = spanEventAttributes(event)
        if (attributes !== null)
          tree.addEvent(
            enclosing,
            event.type,
            {
              ...attributes,
              ...content(() =>
                event.type === "warning" ? { "agent_statecharts.message": event.message } : {},
              ),
            },
            time,
          )
      }
    }
  }
  const finish = (time: number, result: RunResult | null): void => {
    hasEnded = true
    if (root === null) return
    if (result !== null) {
      tree.setAttributes(root, {
        "agent_statecharts.status": result.status,
        ...outputText(result.text),
      })
    }
    const isFailed = result?.status === "failed" || result?.status === "limit"
    endInvocation(
      time,
      isFailed ? failure(result.error?.code ?? result.status, result.error?.message ?? null) : null,
    )
  }
  return {
    record(event, time, runId) {
      if (!hasEnded) recordEvent(event, time, runId)
    },
    startRecording(time) {
      if (root !== null && previousContext !== null) root.links = [{ context: previousContext }]
      tree.startRecording(time, root === null ? [] : [root])
    },
    end: (time, result) => finish(time, result ?? null),
    spanContext: () => (root === null ? previousContext : (contextOf(root) ?? previousContext)),
  }
}
