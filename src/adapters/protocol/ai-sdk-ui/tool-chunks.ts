import type { UIMessageChunk } from "ai"
import type { PendingRequest } from "../../../machines/contract/pending-request.js"
import type { RunEvent } from "../../../machines/contract/run-event.js"

/** A chunk of a UI message (Vercel AI SDK) that reports a tool call or its result. */
type Chunk = Extract<UIMessageChunk, { readonly toolCallId: string }>

type InputChunk = Extract<UIMessageChunk, { readonly type: "tool-input-available" }>

type EventOf<Type extends RunEvent["type"]> = Extract<RunEvent, { readonly type: Type }>

interface KnownCall {
  readonly input: InputChunk
  isReported: boolean
}

/**
 * Creates a converter from the tool call events of a run to the tool chunks of a UI message. The
 * ids of tool calls are unique only within a turn of a model, but the ids in a message must be
 * unique. Therefore a number is added to a repeated id, for example `call_1~2`.
 */
export function toolChunks() {
  /**
   * Tool calls without a result. The key consists of the agent path and the call id of the model.
   */
  const open = new Map<string, KnownCall>()
  const byId = new Map<string, KnownCall>()
  const known = (path: string, callId: string, toolName: string, input: unknown): KnownCall => {
    const key = `${path}\n${callId}`
    const found = open.get(key)
    if (found !== undefined) return found
    let toolCallId = callId
    for (let count = 2; byId.has(toolCallId); count++) toolCallId = `${callId}~${count}`
    const call: KnownCall = {
      input: { type: "tool-input-available", toolCallId, toolName, input, dynamic: true },
      isReported: false,
    }
    open.set(key, call)
    byId.set(toolCallId, call)
    return call
  }
  return {
    modelResponded({ path, answer }: EventOf<"model.responded">): void {
      for (const { id, name, args } of answer.toolCalls)
        if (id !== null) known(path, id, name, args)
    },
    toolCalled({
      path,
      callId,
      tool,
      arguments: args,
      attempt,
    }: EventOf<"tool.called">): readonly Chunk[] {
      const call = known(path, callId, tool, args)
      // The input is sent again, because a person may have edited the arguments.
      return attempt > 1 ? [] : [{ ...call.input, input: args }]
    },
    toolFinished({ path, callId, tool, response }: EventOf<"tool.finished">): readonly Chunk[] {
      const { toolCallId } = known(path, callId, tool, {}).input
      open.delete(`${path}\n${callId}`)
      const { error, ...more } = response
      if (typeof error === "string" && Object.keys(more).length === 0)
        return [{ type: "tool-output-error", toolCallId, errorText: error, dynamic: true }]
      return [{ type: "tool-output-available", toolCallId, output: response, dynamic: true }]
    },
    approvalRequested({ id, kind, path, toolCalls = [] }: PendingRequest): readonly Chunk[] {
      if (kind !== "approval") return []
      return toolCalls.map((call) => ({
        type: "tool-approval-request",
        approvalId: id,
        toolCallId: known(path, call.id, call.name, call.args).input.toolCallId,
      }))
    },
    /**
     * Returns the chunks that must be sent before `chunk`. If the current message does not contain
     * the input of the tool call yet, returns the chunk with the input. Otherwise, returns no
     * chunks.
     */
    before(chunk: Pick<Chunk, "toolCallId" | "type">): readonly Chunk[] {
      const call = byId.get(chunk.toolCallId)
      if (call === undefined || call.isReported) return []
      call.isReported = true
      return chunk.type === "tool-input-available" ? [] : [call.input]
    },
  }
}
