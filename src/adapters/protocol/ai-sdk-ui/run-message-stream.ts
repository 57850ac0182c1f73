import type { FinishReason, UIMessage } from "ai"
import type { RunError, RunResult, RunStatus } from "../../../machines/contract/run-event.js"
import type { Run } from "../../../runtime/index.js"
import type { RunChunk, RunData, RunMessageMetadata } from "./run-chunks.js"
import { runChunks } from "./run-chunks.js"
import { createUIMessageStreamResponse } from "./sdk.js"

/** The type of the messages in `useChat` (Vercel AI SDK) that show a run. */
export type RunUiMessage = UIMessage<RunMessageMetadata, RunData>

export interface RunMessageOptions {
  /**
   * Sequence number of the last run event to skip. Pass `seq` from the metadata of the previous
   * message. Default: no events are skipped.
   */
  readonly after?: number
  /** Id of the UI message. Default: the client creates an id. */
  readonly messageId?: string
  /**
   * Returns the error text that a client shows for a failed run. Default: returns the error code,
   * because error messages may contain internal information.
   */
  readonly errorText?: (error: RunError) => string
}

/**
 * Returns a UI message stream (Vercel AI SDK) of a run. It contains generated text, tool calls and
 * results, approval requests, and data parts (`RunData`). The stream ends when the run waits for a
 * person, is idle or has ended. If a client closes the stream, the run continues.
 *
 * To show the effect of a person's answer, send the answer to the run before you open the stream.
 */
export function runMessageStream(
  run: Run,
  {
    after = -1,
    messageId,
    errorText = ({ code }) => `The run has failed (${code}).`,
  }: RunMessageOptions = {},
): ReadableStream<RunChunk> {
  let leave = (): void => {}
  return new ReadableStream<RunChunk>({
    start(controller) {
      const chunks = runChunks()
      let isLeft = false
      let seq = after
      const enqueue = (all: readonly RunChunk[]): void => {
        if (!isLeft) for (const chunk of all) controller.enqueue(chunk)
      }
      controller.enqueue({
        type: "start",
        ...(messageId !== undefined && { messageId }),
        messageMetadata: { runId: run.runId },
      })
      const following = run.events$.subscribe((event) => {
        enqueue(chunks.read(event, event.seq <= after))
        seq = Math.max(seq, event.seq)
      })
      leave = () => {
        isLeft = true
        following.unsubscribe()
      }
      void run.whenSettled().then((result) => {
        if (isLeft) return
        enqueue(chunks.end())
        enqueue(ending(result, errorText))
        enqueue([
          {
            type: "finish",
            finishReason: finishReasons[result.status],
            messageMetadata: { runId: run.runId, seq, status: result.status },
          },
        ])
        leave()
        controller.close()
      })
    },
    cancel: () => leave(),
  })
}

/**
 * Returns an HTTP response with the UI message stream of a run (Vercel AI SDK). The response has
 * the headers that `useChat` expects.
 */
export const runMessageResponse = (
  run: Run,
  options: RunMessageOptions & { readonly headers?: Readonly<Record<string, string>> } = {},
): Response =>
  createUIMessageStreamResponse({
    stream: runMessageStream(run, options),
    ...(options.headers !== undefined && { headers: { ...options.headers } }),
  })

const finishReasons: Readonly<Record<RunStatus, FinishReason>> = {
  completed: "stop",
  running: "other",
  waiting: "tool-calls",
  failed: "error",
  limit: "length",
  cancelled: "other",
}

function ending(
  { status, error }: RunResult,
  errorText: (error: RunError) => string,
): readonly RunChunk[] {
  if (status === "cancelled") return [{ type: "abort", reason: "the run was cancelled" }]
  return error === null ? [] : [{ type: "error", errorText: errorText(error) }]
}
