import type { Dispatcher } from "undici"
import { request } from "undici"
import type { ErrorCode } from "../../../errors.js"
import { AgentStatechartsError, errorCodes } from "../../../errors.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import type { RunResult } from "../../../machines/contract/run-event.js"
import type { RunMessage } from "../../../runtime/run/run-message.js"
import type { RestateOrder } from "./restate-workflow.js"
import type { RestateStatus } from "./run-status.js"

export interface RestateClientOptions {
  /** Where Restate takes requests, its ingress; `http://127.0.0.1:8080` unless given. */
  readonly url?: string
  /** Of the workflow; `AgentRun` unless given. */
  readonly name?: string
  /** Sent with every request: for what stands before the ingress. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface RestateCallOptions {
  readonly signal?: AbortSignal
  /** Restate does what has the same key once, however often it is sent. */
  readonly idempotencyKey?: string
}

/**
 * Reaches the runs of a Restate workflow from any program, over HTTP. Rejects with an `AgentStatechartsError`: what the run refuses
 * has the code that its controls would throw, Restate that does not answer is `service_unreachable`.
 */
export interface RestateClient {
  /** Orders a run; settles when Restate has it. A run of this id that is there already is left as it is, and `isNew` is false. */
  start(
    runId: string,
    order: RestateOrder,
    options?: RestateCallOptions,
  ): Promise<{ readonly isNew: boolean }>
  /** Waits for the end of a run. */
  result(runId: string, options?: RestateCallOptions): Promise<RunResult>
  status(runId: string, options?: RestateCallOptions): Promise<RestateStatus>
  snapshot(runId: string, options?: RestateCallOptions): Promise<RunResult>
  give(runId: string, message: RunMessage, options?: RestateCallOptions): Promise<void>
}

/**
 * @example
 * const runs = restateClient({ url: "http://127.0.0.1:8080" })
 * await runs.start("order-7", { chart, prompt: "Where is it?" })
 * await runs.give("order-7", { type: "approve", id: "boss#0" })
 * const { text } = await runs.result("order-7")
 */
export function restateClient({
  url = "http://127.0.0.1:8080",
  name = "AgentRun",
  headers = {},
}: RestateClientOptions = {}): RestateClient {
  const base = url.replace(/\/+$/, "")
  const handler = (runId: string, path: string): string =>
    `/${name}/${encodeURIComponent(runId)}/${path}`

  async function ask<Answer>(
    method: "GET" | "POST",
    path: string,
    body: unknown,
    { signal, idempotencyKey }: RestateCallOptions = {},
  ): Promise<Answer> {
    let response: Dispatcher.ResponseData
    let text: string
    try {
      response = await request(`${base}${path}`, {
        method,
        headers: {
          ...headers,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal ?? null,
        // A run may take as long as it takes.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      text = await response.body.text()
    } catch (cause) {
      signal?.throwIfAborted()
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new AgentStatechartsError(
        "service_unreachable",
        `Restate at ${base} cannot be reached: ${why}`,
        { cause },
      )
    }
    if (response.statusCode < 300) return (text === "" ? undefined : JSON.parse(text)) as Answer
    throw refusal(base, path, response.statusCode, text)
  }

  return {
    async start(runId, order, options) {
      const { status } = await ask<{ readonly status: string }>(
        "POST",
        `${handler(runId, "run")}/send`,
        order,
        options,
      )
      return { isNew: status === "Accepted" }
    },
    result: (runId, options) =>
      ask("GET", `${workflows}${name}/${encodeURIComponent(runId)}/attach`, undefined, options),
    status: (runId, options) => ask("POST", handler(runId, "status"), undefined, options),
    snapshot: (runId, options) => ask("POST", handler(runId, "snapshot"), undefined, options),
    give: (runId, message, options) => ask("POST", handler(runId, "give"), message, options),
  }
}

const known: readonly string[] = errorCodes

/** Restate's own way to the end of a workflow. */
const workflows = "/restate/workflow/"

function refusal(base: string, path: string, status: number, text: string): AgentStatechartsError {
  const { message = text, metadata } = answerOf(text)
  const code = isJsonObject(metadata) ? metadata["code"] : null
  // Restate hands on what the handler has told; the codes are the same on both sides.
  if (typeof code === "string" && known.includes(code))
    return new AgentStatechartsError(code as ErrorCode, String(message))
  const isUnknown = status === 404 && path.startsWith(workflows)
  return new AgentStatechartsError(
    isUnknown ? "run_unknown" : "service_unreachable",
    `${base}${path} answered ${status}: ${String(message)}`,
  )
}

function answerOf(text: string): { readonly message?: unknown; readonly metadata?: unknown } {
  try {
    const answer: unknown = JSON.parse(text)
    return isJsonObject(answer) ? answer : {}
  } catch {
    // What stands before Restate answered, in words of its own.
    return {}
  }
}
