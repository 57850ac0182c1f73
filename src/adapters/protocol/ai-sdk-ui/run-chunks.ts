import type { UIMessageChunk } from "ai"
import type { PendingRequest } from "../../../machines/contract/pending-request.js"
import { isHelper } from "../../../machines/model-call/helper-agents.js"
import type { RunEvent, RunStatus } from "../../../machines/contract/run-event.js"
import { textChunks } from "./text-chunks.js"
import { toolChunks } from "./tool-chunks.js"

/**
 * The types of the data parts in a UI message (Vercel AI SDK) that shows a run, by name. The
 * message also contains text parts and tool parts.
 */
export type RunData = {
  /**
   * A pending request of the run. When the request is answered or expires, the client receives this
   * part again with a new `state`.
   */
  readonly request: PendingRequest & { readonly state: "open" | "answered" | "expired" }
  readonly handoff: { readonly from: string; readonly to: string }
  readonly fallback: { readonly agent: string; readonly model: string }
  /**
   * A retry of a failed call. `attempt` is the number of the next attempt, counted from 1. If the
   * call is a model call, the client must discard the text of the failed attempt.
   */
  readonly retry: { readonly agent: string; readonly attempt: number }
  /** A custom event that a host function (a function that you register) has emitted. */
  readonly emitted: { readonly agent: string; readonly name: string; readonly data: unknown }
}

export interface RunMessageMetadata {
  readonly runId: string
  /**
   * Sequence number of the last run event in the message. Pass it as the option `after` when you
   * request the next message.
   */
  readonly seq?: number
  readonly status?: RunStatus
}

export type RunChunk = UIMessageChunk<RunMessageMetadata, RunData>

export interface RunChunks {
  /**
   * Converts a run event to chunks of a UI message. If `isPast` is true, the event belongs to an
   * earlier message. In this case, it only updates the internal state, and no chunks are returned.
   */
  read(event: RunEvent, isPast: boolean): readonly RunChunk[]
  /** Returns the chunks that end all open texts of the message. */
  end(): readonly RunChunk[]
}

/** Creates a converter from the events of a run to the chunks of one UI message (Vercel AI SDK). */
export function runChunks(): RunChunks {
  const texts = textChunks()
  const tools = toolChunks()
  const requests = new Map<string, PendingRequest>()
  const request = (id: string, state: RunData["request"]["state"]): readonly RunChunk[] => {
    const asked = requests.get(id)
    return asked === undefined ? [] : [{ type: "data-request", id, data: { ...asked, state } }]
  }
  const chunksOf = (event: RunEvent): readonly RunChunk[] => {
    switch (event.type) {
      case "model.delta":
        return texts.delta(event)
      case "model.responded":
        if (isHelper(event.agent)) return []
        tools.modelResponded(event)
        return texts.responded(event)
      case "model.fallback":
        return [
          ...texts.dropped(event.of),
          { type: "data-fallback", data: { agent: event.agent, model: event.to } },
        ]
      case "retry.scheduled":
        return [
          ...texts.dropped(event.of),
          { type: "data-retry", data: { agent: event.agent, attempt: event.attempt } },
        ]
      case "tool.called":
        return tools.toolCalled(event)
      case "tool.finished":
        return tools.toolFinished(event)
      case "human.asked":
      case "user.awaited":
        requests.set(event.request.id, event.request)
        return [...tools.approvalRequested(event.request), ...request(event.request.id, "open")]
      case "human.answered":
      case "user.said":
        return request(event.id, "answered")
      case "request.expired":
        return request(event.id, "expired")
      case "handoff":
        return [{ type: "data-handoff", data: { from: event.from, to: event.to } }]
      case "host.emitted":
        return [
          {
            type: "data-emitted",
            data: { agent: event.agent, name: event.name, data: event.data },
          },
        ]
      default:
        return []
    }
  }
  return {
    read(event, isPast) {
      const chunks = chunksOf(event)
      if (!isPast)
        return chunks.flatMap((chunk): readonly RunChunk[] =>
          "toolCallId" in chunk ? [...tools.before(chunk), chunk] : [chunk],
        )
      texts.end()
      return []
    },
    end: () => texts.end(),
  }
}
