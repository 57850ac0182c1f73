import { createParser } from "eventsource-parser"
import {
  CallFailedError,
  type HttpEndpoint,
  type ModelRequest,
  type ModelService,
} from "../../../machines/contract/services.js"
import {
  type CallEndpoint,
  createCallEndpoint,
  identityOf,
} from "../../http/endpoint/call-endpoint.js"
import type { CreateHttpClient, HttpClientOptions } from "../../http/client/http-client.js"
import { credentialIn, mayNameSecret } from "../../http/secrets/find-secrets.js"
import type { Mask } from "../../http/secrets/mask-secrets.js"
import { maskedDeltas } from "../../http/secrets/masked-deltas.js"
import { readJson } from "../../http/client/read-json.js"
import { hasSubscriber } from "../has-subscriber.js"
import { explainContextLength } from "../context-length.js"
import { readCompletion } from "./chat-answer.js"
import { chatMessages } from "./chat-messages.js"
import { chatStream, type StreamEnd } from "./chat-stream.js"
import { generationSettings } from "./generation-settings.js"
import { streamError } from "./stream-error.js"

export interface OpenAiModelOptions extends HttpClientOptions {
  /**
   * Base URL of the API, for example `http://127.0.0.1:11434/v1`. Default:
   * `https://api.openai.com/v1`.
   */
  readonly baseUrl?: string
  /** API key of the server. It is sent as a bearer token and masked in responses. */
  readonly apiKey?: string
  /**
   * Name of the model on the server. Default: the model name in the config of the agent, without a
   * prefix such as `openai:`.
   */
  readonly model?: string
  /**
   * Additional headers of each request. Their values are masked in responses if their names suggest
   * a secret, such as `authorization` or `x-api-key`.
   */
  readonly headers?: Readonly<Record<string, string>>
  /** Additional fields of each request body, for settings that only a specific server has. */
  readonly body?: Readonly<Record<string, unknown>>
  /**
   * Whether to stream a response if a program has subscribed to the events of the run. Default:
   * true.
   */
  readonly stream?: boolean
}

export interface OpenAiModel extends ModelService {
  /** Closes all sockets of the model. Calls in flight fail. */
  close(): Promise<void>
}

/**
 * Creates the model service that `openAiModel` returns. Its HTTP client is created with
 * `createClient` and is based on `fetch` or on Node.
 */
export function openAiModelWith(
  createClient: CreateHttpClient,
  {
    baseUrl = "https://api.openai.com/v1",
    apiKey,
    model,
    headers,
    body,
    stream = true,
    ...options
  }: OpenAiModelOptions,
): OpenAiModel {
  const client = createClient(options)
  const authorization =
    apiKey === undefined ? {} : { authorization: "Bearer {{ $secret('apiKey') }}" }
  const { templates, values } = secretHeaders(headers)
  const endpoint: HttpEndpoint = {
    url: `${baseUrl.replace(/\/+$/, "")}/chat/completions`,
    method: "POST",
    headers: { ...headers, ...templates, ...authorization },
  }
  const callEndpoint = explaining(
    createCallEndpoint({
      client,
      secrets: { read: (name) => (name === "apiKey" ? apiKey : values.get(name)) },
    }),
  )

  const requestBody = (request: ModelRequest, isStreamed: boolean): string =>
    JSON.stringify({
      model: model ?? withoutPrefix(request.model ?? ""),
      messages: chatMessages(request.messages),
      ...(request.tools.length > 0 && { tools: request.tools }),
      ...(request.generationConfig !== undefined && generationSettings(request.generationConfig)),
      ...answerFormat(request),
      ...(isStreamed && { stream: true, stream_options: { include_usage: true } }),
      ...body,
    })

  return {
    async call(request, { signal, live }) {
      const caller = {
        subject: `agent "${request.agent}"`,
        failureCode: "model_call_failed",
      } as const
      const isStreamed = stream && (await hasSubscriber(live))
      const toCall = (filled: {
        readonly url: URL
        readonly headers: Readonly<Record<string, string>>
      }) => ({
        url: filled.url,
        headers: {
          "content-type": "application/json",
          accept: isStreamed ? "text/event-stream, application/json" : "application/json",
          ...filled.headers,
        },
        body: requestBody(request, isStreamed),
      })
      const streamed = streamedAnswer((text) => live?.write(text))
      const identity = { ...identityOf(request), endpoint }
      const { answer, mask, malformed, fails } = await callEndpoint(
        identity,
        { state: {}, context: {} },
        caller,
        toCall,
        signal,
        isStreamed
          ? (text, mask) => {
              live?.keepAlive()
              streamed.push(text, mask)
            }
          : undefined,
      )
      // Some servers always send a stream, even if none was requested.
      if (!isStreamed && answer.contentType.startsWith("text/event-stream"))
        streamed.push(answer.text, mask)
      const end = streamed.end()
      if (end?.type === "malformed")
        throw fails({
          code: "service_answer_malformed",
          reason: `answered with ${end.reason}`,
          retryable: true,
          body: "",
        })
      if (end?.type === "error") throw explainedError(fails(streamError(end.error)))
      // Some servers do not support streaming and send a single JSON response.
      const json =
        end === null ? readJson(answer.text) : { ok: true as const, value: end.completion }
      if (!json.ok) throw malformed(json.reason)
      const read = readCompletion(json.value)
      if (typeof read === "string") throw malformed(read)
      return mask.value(read)
    },
    close: () => client.close(),
  }
}

/**
 * Replaces the values of secret headers with templates that read the values as secrets. The values
 * are then masked in responses.
 */
function secretHeaders(headers: Readonly<Record<string, string>> = {}): {
  readonly templates: Readonly<Record<string, string>>
  readonly values: ReadonlyMap<string, string>
} {
  const values = new Map<string, string>()
  const templates: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === "" || !mayNameSecret(name)) continue
    const { scheme, credential } = credentialIn(value)
    const key = `header ${name.replace(/[^\w-]/g, "")}`
    values.set(key, credential)
    templates[name] = `${scheme}{{ $secret('${key}') }}`
  }
  return { templates, values }
}

/**
 * Returns the field `response_format` of the request. If the agent has tools, the output schema is
 * sent only when the model must answer, because the schema would prevent tool calls.
 */
function answerFormat({
  outputSchema,
  tools,
  mustAnswer,
}: ModelRequest): Readonly<Record<string, unknown>> {
  if (outputSchema === undefined || (tools.length > 0 && mustAnswer !== true)) return {}
  return {
    ...(tools.length > 0 && { tool_choice: "none" }),
    response_format: { type: "json_schema", json_schema: { name: "answer", schema: outputSchema } },
  }
}

function streamedAnswer(write: (text: string) => void) {
  const deltas = maskedDeltas(write)
  let mask: Mask | null = null
  const chat = chatStream((text) => mask !== null && deltas.push(text, mask))
  const events = createParser({ onEvent: ({ data }) => chat.read(data) })
  return {
    push: (text: string, maskOfCall: Mask): void => {
      mask = maskOfCall
      events.feed(text)
    },
    end: (): StreamEnd | null => {
      // Some servers omit the empty line after the last event.
      events.feed("\n\n")
      deltas.end()
      return chat.end()
    },
  }
}

const explaining =
  (callEndpoint: CallEndpoint): CallEndpoint =>
  async (...call) => {
    try {
      return await callEndpoint(...call)
    } catch (error) {
      throw error instanceof CallFailedError ? explainedError(error) : error
    }
  }

const explainedError = (error: CallFailedError): CallFailedError =>
  new CallFailedError(explainContextLength(error.failure), { cause: error.cause })

/**
 * Removes the prefix `openai:` or `ollama:` from a model name. For example, `openai:gpt-5` becomes
 * `gpt-5`. Tags of Ollama models, as in `llama3:8b`, are not removed.
 */
const withoutPrefix = (name: string): string => name.replace(/^(?:openai|ollama):/, "")
