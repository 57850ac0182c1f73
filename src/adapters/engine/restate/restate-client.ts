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
  /** URL of the Restate ingress. Default `http://127.0.0.1:8080`. */
  readonly url?: string
  /** Name of the workflow. Default `AgentRun`. */
  readonly name?: string
  /** Headers of every request, for example for a proxy in front of the ingress. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface RestateCallOptions {
  readonly signal?: AbortSignal
  /** Restate handles requests with the same key once. */
  readonly idempotencyKey?: string
}

/**
 * Controls the runs of a Restate workflow over HTTP. Errors are `AgentStatechartsError`: a
 * rejection by the run has the code its controls would throw. If Restate does not answer, the code
 * is `service_unreachable`.
 */
export interface RestateClient {
  /**
   * Starts a run. Resolves when Restate has stored it. If a run with this id exists, it is left
   * unchanged and `isNew` is false.
   */
  start(
    runId: string,
    order: RestateOrder,
    options?: RestateCallOptions,
  ): Promise<{ readonly isNew: boolean }>
  /** Waits for the end of a run and returns its result. */
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
        // A run may take any amount of time.
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

/** Path under which Restate serves the result of a workflow. */
const workflows = "/restate/workflow/"

function refusal(base: string, path: string, status: number, text: string): AgentStatechartsError {
  const { message = text, metadata } = answerOf(text)
  const code = isJsonObject(metadata) ? metadata["code"] : null
  // Restate forwards the error of the handler; both sides use the same codes.
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
    // A proxy in front of Restate answered.
    return {}
  }
}
