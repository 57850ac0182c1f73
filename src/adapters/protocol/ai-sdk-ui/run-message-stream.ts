import type { FinishReason, UIMessage } from "ai"
import type { RunError, RunResult, RunStatus } from "../../../machines/contract/run-event.js"
import type { Run } from "../../../runtime/index.js"
import type { RunChunk, RunData, RunMessageMetadata } from "./run-chunks.js"
import { runChunks } from "./run-chunks.js"
import { createUIMessageStreamResponse } from "./sdk.js"

/** A message that tells of a run, as `useChat` has it. */
export type RunMessage = UIMessage<RunMessageMetadata, RunData>

export interface RunMessageOptions {
  /** Leaves out the events up to this one, the `seq` in the metadata of the message before. */
  readonly after?: number
  /** Of the message; left out, the reader makes one. */
  readonly messageId?: string
  /** What a reader is told of a run that fails; by default its code, as a message of an error may tell of the inside. */
  readonly errorText?: (error: RunError) => string
}

/**
 * What a run does until it rests, as the UI message stream of the AI SDK: texts as they come, tool calls and their results, requests for
 * approval, and data parts (`RunData`). It ends when the run waits for somebody, rests or is over. To leave the stream does not stop the run.
 *
 * Give an answer to the run first, then open the stream that tells what follows from it.
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
      const tell = (all: readonly RunChunk[]): void => {
        if (!isLeft) for (const chunk of all) controller.enqueue(chunk)
      }
      controller.enqueue({
        type: "start",
        ...(messageId !== undefined && { messageId }),
        messageMetadata: { runId: run.runId },
      })
      const following = run.events$.subscribe((event) => {
        tell(chunks.read(event, event.seq <= after))
        seq = Math.max(seq, event.seq)
      })
      leave = () => {
        isLeft = true
        following.unsubscribe()
      }
      void run.rest().then((result) => {
        if (isLeft) return
        tell(chunks.end())
        tell(ending(result, errorText))
        tell([
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

/** The same as a response of a server, with the headers that `useChat` looks for. */
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
