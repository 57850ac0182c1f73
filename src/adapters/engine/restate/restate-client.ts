import type { Dispatcher } from "undici"
import { request } from "undici/index.js"
import { AgentStatechartsError } from "../../../errors.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import type { RunResult } from "../../../machines/contract/run-event.js"
import type { RunMessage } from "../../../runtime/run/run-message.js"
import { isErrorCode } from "../is-error-code.js"
import type { RestateOrder } from "./restate-workflow.js"
import type { RestateStatus } from "./run-status.js"

export interface RestateClientOptions {
  /** URL of the Restate ingress. Default: `http://127.0.0.1:8080`. */
  readonly url?: string
  /** Name of the Restate workflow that executes runs. Default: `AgentRun`. */
  readonly name?: string
  /** Additional headers of every request, for example for a proxy. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface RestateCallOptions {
  readonly signal?: AbortSignal
  /** Idempotency key of the request. Restate processes requests with the same key only once. */
  readonly idempotencyKey?: string
}

/**
 * A client that starts and controls runs of a Restate workflow over HTTP. All errors are of type
 * `AgentStatechartsError`. If a run rejects a message, the error has the same code as the error of
 * the corresponding method of `RunControls`. If Restate does not respond, the code is
 * `service_unreachable`.
 */
export interface RestateClient {
  /**
   * Starts a run. Resolves after Restate has stored the run. If a run with this id already exists,
   * that run is not changed, and `isNew` is false.
   */
  start(
    runId: string,
    order: RestateOrder,
    options?: RestateCallOptions,
  ): Promise<{ readonly isNew: boolean }>
  /** Waits until a run has ended and resolves to its result. */
  result(runId: string, options?: RestateCallOptions): Promise<RunResult>
  status(runId: string, options?: RestateCallOptions): Promise<RestateStatus>
  snapshot(runId: string, options?: RestateCallOptions): Promise<RunResult>
  give(runId: string, message: RunMessage, options?: RestateCallOptions): Promise<void>
}

/**
 * Creates a client for runs on Restate.
 *
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
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal ?? null,
        // There is no timeout, because a run may take any amount of time.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      text = await response.body.text()
    } catch (cause) {
      signal?.throwIfAborted()
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new AgentStatechartsError(
        "service_unreachable",
        `the Restate server at ${base} cannot be reached: ${why}. Check the address, and that the server is running`,
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

/** Path prefix of the Restate endpoints that return the results of workflows. */
const workflows = "/restate/workflow/"

function refusal(base: string, path: string, status: number, text: string): AgentStatechartsError {
  const { message = text, metadata } = answerOf(text)
  const code = isJsonObject(metadata) ? metadata["code"] : null
  // Restate returns the error of the handler, with an error code of this library.
  if (isErrorCode(code)) return new AgentStatechartsError(code, String(message))
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
    // The body is not JSON, so the response is from a proxy and not from Restate.
    return {}
  }
}
