import {
  ActivityFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
  sleep,
  TimeoutFailure,
} from "@temporalio/workflow"
import type { CallFailure, Envelope } from "../../../machines/contract/services.js"
import type { Engine, EngineEvent } from "../../../runtime/engine/engine.js"
import type { LeafCall } from "../../../runtime/driver/host.js"
import type { RunMessage } from "../../../runtime/run/run-message.js"
import type { ActivitySettings } from "./activity-options.js"
import { activityOptions } from "./activity-options.js"
import type { TemporalActivities } from "./names.js"

/**
 * The engine that executes a run inside a Temporal workflow. It reads the clock of the workflow,
 * which returns the same times in every replay.
 */
export interface WorkflowEngine extends Engine {
  /**
   * Sends a message to the run. Resolves after the run has accepted the message. The promise
   * rejects if the run rejects the message.
   */
  message(message: RunMessage): Promise<void>
  /** Rejects all messages that the run has not processed. Call this after the run has ended. */
  close(refusal: Error): void
}

interface Sender {
  readonly resolve: () => void
  readonly reject: (refusal: Error) => void
}

export function workflowEngine(settings: ActivitySettings): WorkflowEngine {
  const open = new Set<number>()
  const arrived: EngineEvent[] = []
  /**
   * The senders that wait for an outcome, by message. The map contains the messages that the run
   * has not processed yet.
   */
  const senders = new Map<RunMessage, Sender>()
  let wake = (): void => {}

  const senderOf = (message: RunMessage): Sender | undefined => {
    const sender = senders.get(message)
    senders.delete(message)
    return sender
  }

  const arrive = (happening: EngineEvent): void => {
    arrived.push(happening)
    wake()
  }

  const next = (): EngineEvent | null => {
    for (let happening = arrived.shift(); happening !== undefined; happening = arrived.shift()) {
      if ("message" in happening || open.delete(happening.n)) return happening
    }
    return null
  }

  return {
    begin(call, at) {
      open.add(call.n)
      const scope = new CancellationScope()
      const ended = (result: Envelope): void => arrive({ n: call.n, result })
      scope
        .run(() => perform(call, at, settings))
        .then(ended, (error: unknown) => {
          if (!isCancellation(error) || open.has(call.n))
            ended({ ok: false, error: failureOf(call, error), at: Date.now() })
        })
      return () => {
        open.delete(call.n)
        scope.cancel()
      }
    },
    next: () =>
      new Promise((resolve) => {
        wake = () => {
          const happening = next()
          if (happening === null) return
          wake = () => {}
          resolve(happening)
        }
        wake()
      }),
    message: (message) =>
      new Promise((resolve, reject) => {
        senders.set(message, { resolve, reject })
        arrive({ message, at: Date.now() })
      }),
    accepted: (message) => senderOf(message)?.resolve(),
    refused: (message, refusal) => senderOf(message)?.reject(refusal),
    close(refusal) {
      for (const { reject } of senders.values()) reject(refusal)
      senders.clear()
    },
  }
}

async function perform(call: LeafCall, at: number, settings: ActivitySettings): Promise<Envelope> {
  if (call.src === "sleepUntil") {
    const { until } = call.input as { readonly until: number }
    await sleep(Math.max(until - Date.now(), 1))
    return { ok: true, value: null, at: Math.max(Date.now(), until) }
  }
  return proxyActivities<TemporalActivities>(activityOptions(call, at, settings))[call.src](call)
}

const codes = {
  callModel: "model_call_failed",
  callTool: "tool_call_failed",
  callNode: "node_failed",
  callHost: "host_code_failed",
  callWorkflow: "workflow_calls_unsupported",
  sleepUntil: "internal",
} as const

/**
 * Converts an error of Temporal to a call failure. Examples: no worker completed the call in time,
 * or the result cannot be stored.
 */
function failureOf({ src }: LeafCall, error: unknown): CallFailure {
  const cause = error instanceof ActivityFailure ? error.cause : error
  const message = cause instanceof Error ? cause.message : String(cause)
  if (cause instanceof TimeoutFailure)
    return {
      code: "service_timeout",
      message: `no worker completed the call in time: ${message}`,
      retryable: true,
    }
  return {
    code: codes[src],
    message: `Temporal has no result of the call: ${message}`,
    retryable: false,
  }
}
