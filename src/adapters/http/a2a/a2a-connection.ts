import { createParser } from "eventsource-parser"
import { AgentStatechartsError } from "../../../errors.js"
import { CallFailedError, type HttpEndpoint } from "../../../machines/contract/services.js"
import type { RemoteEndpoint } from "../../../machines/contract/agent-definition.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import type { RemoteRequest } from "../../../machines/workflow-agent/remote-call.js"
import type { TaskClock } from "../../../machines/workflow-agent/remote-task.js"
import type { WorkflowRequest } from "../../../machines/workflow-agent/workflow-call.js"
import type { HttpCall } from "../client/http-client.js"
import { readJson } from "../client/read-json.js"
import { type CallEndpoint, EndpointFailed, identityOf } from "../endpoint/call-endpoint.js"
import type { FilledEndpoint } from "../endpoint/fill-endpoint.js"
import type { Mask } from "../secrets/mask-secrets.js"
import { type AgentInterface, cardUrl, interfaceOf, invalidCard } from "./agent-card.js"
import { rpcErrorOf } from "./rpc-error.js"
import { streamLimits } from "./stream-limits.js"

/** Default timeout of a request to a remote agent, in milliseconds. */
const defaultTimeoutMs = 60_000

/** The JSON-RPC methods of A2A operations, by protocol version. null if a version has no method. */
const methods = {
  send: { "1.0": "SendMessage", "0.3": "message/send" },
  stream: { "1.0": "SendStreamingMessage", "0.3": "message/stream" },
  get: { "1.0": "GetTask", "0.3": "tasks/get" },
  subscribe: { "1.0": "SubscribeToTask", "0.3": "tasks/resubscribe" },
  cancel: { "1.0": "CancelTask", "0.3": "tasks/cancel" },
  list: { "1.0": "ListTasks", "0.3": null },
} as const

export type A2aOperation = keyof typeof methods

/** A callback for each event of an A2A stream. `mask` replaces secrets in texts of the event. */
export type OnStreamEvent = (event: unknown, mask: Mask) => void

interface ConnectionParts {
  readonly callEndpoint: CallEndpoint
  readonly request: WorkflowRequest
  readonly remote: RemoteRequest
  readonly clock: TaskClock
  /** Signal that aborts all requests of the A2A connection. */
  readonly signal: AbortSignal
}

/**
 * A client that sends JSON-RPC requests to a remote agent over A2A. The agent card is loaded before
 * the first request.
 */
export class A2aConnection {
  readonly #parts: ConnectionParts
  readonly #subject: string
  #card: Promise<AgentInterface> | null = null
  #count = 0

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.#subject = `agent "${parts.request.agent}"`
  }

  interface(): Promise<AgentInterface> {
    this.#card ??= this.#loadCard()
    return this.#card
  }

  /**
   * Sends a JSON-RPC request and returns its result. `key` is the idempotency key of the request,
   * or null if repeating the request is harmless.
   *
   * @throws CallFailedError if the request fails, or if the response is an error
   */
  async call(operation: A2aOperation, params: JsonObject, key: string | null): Promise<unknown> {
    const { method, agent } = await this.#method(operation)
    return this.#withTimeout(async (signal) => {
      const { answer, mask, malformed } = await this.#post(method, agent, params, key, signal)
      const json = readJson(answer.text)
      if (!json.ok) throw malformed(json.reason)
      return this.#resultOf(mask.value(json.value), method)
    })
  }

  /**
   * Sends a JSON-RPC request whose response is a stream of events. Resolves when the stream has
   * ended. The first data must arrive within the request timeout.
   */
  async stream(
    operation: "stream" | "subscribe",
    params: JsonObject,
    key: string | null,
    onEvent: OnStreamEvent,
    stopped: AbortSignal,
  ): Promise<void> {
    const { method, agent } = await this.#method(operation)
    const { clock } = this.#parts
    const { signal, started, done } = streamLimits(
      { clock, firstMs: this.#timeoutMs(), signals: [this.#parts.signal, stopped] },
      () => this.#timedOut(`sent no data (${method})`),
    )
    let failure: CallFailedError | null = null
    const receive = (value: unknown, mask: Mask): void => {
      try {
        onEvent(this.#resultOf(mask.value(value), method), mask)
      } catch (error) {
        if (!(error instanceof CallFailedError)) throw error
        failure ??= error
      }
    }
    let maskOfStream: Mask | null = null
    const parser = createParser({
      onEvent: ({ data }) => {
        const json = readJson(data)
        if (json.ok && maskOfStream !== null) receive(json.value, maskOfStream)
      },
    })
    try {
      const { answer, mask, malformed } = await this.#post(
        method,
        agent,
        params,
        key,
        signal,
        (text, mask) => {
          started()
          maskOfStream = mask
          parser.feed(text)
        },
      )
      if (answer.contentType.startsWith("text/event-stream")) parser.feed("\n\n")
      else {
        const json = readJson(answer.text)
        if (!json.ok) throw malformed(json.reason)
        receive(json.value, mask)
      }
    } finally {
      done()
    }
    if (failure !== null) throw failure
  }

  async #method(
    operation: A2aOperation,
  ): Promise<{ readonly method: string; readonly agent: AgentInterface }> {
    const agent = await this.interface()
    const method = methods[operation][agent.version]
    if (method === null)
      throw new CallFailedError({
        code: "a2a_version_unsupported",
        message: `${this.#subject}: A2A ${agent.version} has no operation for "${operation}"`,
        retryable: false,
      })
    return { method, agent }
  }

  async #loadCard(): Promise<AgentInterface> {
    const { agentCard, headers } = this.#parts.remote
    let address = agentCard
    let origin = ""
    try {
      const card = await this.#withTimeout(async (signal) => {
        const { answer, malformed } = await this.#send(
          { url: agentCard, method: "GET", ...(headers !== undefined && { headers }) },
          (filled) => {
            const url = cardUrl(filled.url)
            address = `${url.origin}${url.pathname}`
            origin = url.origin
            return { url, headers: { accept: "application/json", ...filled.headers }, body: null }
          },
          null,
          signal,
        )
        const json = readJson(answer.text)
        if (!json.ok) throw malformed(json.reason)
        return json.value
      })
      const found = interfaceOf(card, this.#subject, address)
      if (this.#parts.remote.url === undefined) this.#checkOrigin(found.url, origin, address)
      return found
    } catch (error) {
      this.#card = null
      if (
        error instanceof EndpointFailed &&
        [401, 403, 404, 410].includes(error.failure.status ?? 0)
      )
        throw invalidCard(this.#subject, address, `cannot be read: ${error.message}`)
      throw error
    }
  }

  /**
   * Throws if the agent card contains a URL on another host. A request may have headers with
   * secrets, which must not be sent to a host that only the card names.
   */
  #checkOrigin(url: string, origin: string, address: string): void {
    if (!URL.canParse(url))
      throw invalidCard(this.#subject, address, `contains the invalid URL "${url}"`)
    if (new URL(url).origin !== origin)
      throw invalidCard(
        this.#subject,
        address,
        `names the URL ${url} on another host; if you trust this host, set "url" of the agent to this URL`,
      )
  }

  #post(
    method: string,
    agent: AgentInterface,
    params: JsonObject,
    key: string | null,
    signal: AbortSignal,
    onText?: (text: string, mask: Mask) => void,
  ): ReturnType<CallEndpoint> {
    const { url, agentCard, headers }: RemoteEndpoint = this.#parts.remote
    const endpoint = {
      url: url ?? agentCard,
      method: "POST",
      ...(headers !== undefined && { headers }),
    }
    const { tenant } = agent
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: ++this.#count,
      method,
      params: { ...(tenant !== null && { tenant }), ...params },
    })
    return this.#send(
      endpoint,
      (filled) => ({
        url: url === undefined ? new URL(agent.url) : filled.url,
        headers: {
          "content-type": "application/json",
          accept: onText === undefined ? "application/json" : "text/event-stream, application/json",
          "a2a-version": agent.version,
          ...filled.headers,
        },
        body,
      }),
      key,
      signal,
      onText,
    )
  }

  #send(
    endpoint: HttpEndpoint,
    toCall: (filled: FilledEndpoint) => Omit<HttpCall, "method" | "publicOnly">,
    key: string | null,
    signal: AbortSignal,
    onText?: (text: string, mask: Mask) => void,
  ): ReturnType<CallEndpoint> {
    const { callEndpoint, request, remote } = this.#parts
    const { state, context, graph } = remote
    return callEndpoint(
      // Without an idempotency key, a random one keeps proxies from repeating an old response.
      { ...identityOf(request), idempotencyKey: key ?? crypto.randomUUID(), endpoint },
      { state, context, ...graph },
      { subject: this.#subject, failureCode: "remote_call_failed" },
      toCall,
      signal,
      onText,
    )
  }

  /** Returns the result in a JSON-RPC response. Throws an error response as an `RpcFailed`. */
  #resultOf(response: unknown, method: string): unknown {
    if (isJsonObject(response)) {
      if (Object.hasOwn(response, "error") && response["error"] !== null)
        throw rpcErrorOf(response["error"], `${this.#subject}: ${method}`)
      if (Object.hasOwn(response, "result")) return response["result"]
    }
    throw new CallFailedError({
      code: "service_answer_malformed",
      message: `${this.#subject}: the response to ${method} is not a JSON-RPC response`,
      retryable: true,
    })
  }

  async #withTimeout<Value>(act: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const { clock, signal } = this.#parts
    const controller = new AbortController()
    const cancel = clock.wakeAt(clock.now() + this.#timeoutMs(), () =>
      controller.abort(this.#timedOut("did not respond in time")),
    )
    try {
      return await act(AbortSignal.any([signal, controller.signal]))
    } finally {
      cancel()
    }
  }

  #timeoutMs(): number {
    return this.#parts.remote.timeoutMs ?? defaultTimeoutMs
  }

  #timedOut(why: string): AgentStatechartsError {
    const message = `${this.#subject}: the remote agent ${why}`
    return new CallFailedError({ code: "service_timeout", message, retryable: true })
  }
}
