import type { WorkflowContext, WorkflowSharedContext } from "@restatedev/restate-sdk"
import { AgentStatechartsError } from "../../../errors.js"
import type { PendingRequest } from "../../../machines/contract/pending-request.js"
import type { RunResult } from "../../../machines/contract/run-event.js"
import type { Run } from "../../../runtime/run/run.js"
import type { RunMessage } from "../../../runtime/run/run-message.js"

/** The status of a run, as the `status` handler of its Restate workflow returns it. */
export interface RestateStatus extends Omit<RunResult, "state" | "artifacts"> {
  /** Whether the run has ended. An ended run accepts no messages. */
  readonly isOver: boolean
  readonly pending: readonly PendingRequest[]
  /** Messages that the run has rejected, oldest first. */
  readonly refused: readonly RejectedMessage[]
}

export interface RejectedMessage {
  readonly message: RunMessage
  /** Error code of the rejection (docs/errors.md). */
  readonly code: string
  readonly text: string
}

/**
 * A writer that stores a run's status in the state of its Restate workflow. Each pending request
 * has a separate key, so that a change of one request does not rewrite the other requests. The
 * other fields are written when requests change, when the run becomes active or idle, and when it
 * ends.
 */
export interface StatusWriter {
  update(run: Run, isWorking: boolean): void
  refused(message: RunMessage, error: Error): void
  end(result: RunResult): void
}

type StoredStatus = Omit<RestateStatus, "pending" | "refused">

const statusKey = "standing"
const resultKey = "result"

export function statusWriter(ctx: WorkflowContext): StatusWriter {
  const published = new Map<string, number>()
  let requests = 0
  let refusals = 0
  let wasWorking: boolean | null = null

  const publish = (
    { state: _state, artifacts: _artifacts, ...rest }: RunResult,
    isOver: boolean,
  ): void => ctx.set<StoredStatus>(statusKey, { ...rest, isOver })

  function publishRequests(pending: readonly PendingRequest[]): boolean {
    const open = new Set(pending.map(({ id }) => id))
    let changes = 0
    for (const [id, n] of published) {
      if (open.has(id)) continue
      published.delete(id)
      ctx.clear(`request:${n}`)
      changes++
    }
    for (const request of pending) {
      if (published.has(request.id)) continue
      published.set(request.id, requests)
      ctx.set(`request:${requests++}`, request)
      changes++
    }
    return changes > 0
  }

  return {
    update(run, isWorking) {
      if (!publishRequests(run.pending()) && isWorking === wasWorking) return
      wasWorking = isWorking
      publish(run.snapshot(), false)
    },
    refused(message, error) {
      const code = error instanceof AgentStatechartsError ? error.code : "internal"
      ctx.set<RejectedMessage>(`refusal:${refusals++}`, { message, code, text: error.message })
    },
    end(result) {
      publishRequests([])
      publish(result, true)
      ctx.set(resultKey, result)
    },
  }
}

/**
 * Returns the stored status of the run whose id is the workflow key. Returns null if the run has
 * not started or Restate no longer stores it.
 */
export async function readStatus(ctx: WorkflowSharedContext): Promise<RestateStatus | null> {
  const stored = await ctx.get<StoredStatus>(statusKey)
  if (stored === null) return null
  const keys = await ctx.stateKeys()
  return {
    ...stored,
    pending: await numbered<PendingRequest>(ctx, keys, "request:"),
    refused: await numbered<RejectedMessage>(ctx, keys, "refusal:"),
  }
}

/**
 * Returns the result of the run whose id is the workflow key. Returns null if the run has not
 * ended.
 */
export const readResult = (ctx: WorkflowSharedContext): Promise<RunResult | null> =>
  ctx.get<RunResult>(resultKey)

async function numbered<Value>(
  ctx: WorkflowSharedContext,
  keys: readonly string[],
  prefix: string,
): Promise<readonly Value[]> {
  const numbers = keys
    .filter((key) => key.startsWith(prefix))
    .map((key) => Number(key.slice(prefix.length)))
  const values: Value[] = []
  for (const n of numbers.sort((one, other) => one - other)) {
    const value = await ctx.get<Value>(`${prefix}${n}`)
    if (value !== null) values.push(value)
  }
  return values
}
