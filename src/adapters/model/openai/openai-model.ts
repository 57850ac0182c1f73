import type { HttpEndpoint, ModelRequest, ModelService } from "../../../machines/contract.js"
import { createCallEndpoint } from "../../http/call-endpoint.js"
import { createHttpClient, type HttpClientOptions } from "../../http/http-client.js"
import { credentialIn, mayBeSecret } from "../../http/given-secrets.js"
import { readJson } from "../../http/read-answer.js"
import { readCompletion } from "./chat-answer.js"
import { chatMessages } from "./chat-messages.js"
import { generationSettings } from "./generation-settings.js"

export interface OpenAiModelOptions extends HttpClientOptions {
  /** Where the API begins, `http://127.0.0.1:11434/v1` for example; default `https://api.openai.com/v1`. */
  readonly baseUrl?: string
  /** Sent as a bearer token, and masked wherever it would come back. */
  readonly apiKey?: string
  /** What the server calls the model; by default the name that agents have, without a prefix such as `openai:`. */
  readonly model?: string
  /** Values of headers that sound like a secret (`authorization`, `x-api-key`) are masked like the key. */
  readonly headers?: Readonly<Record<string, string>>
  /** Added to the body of each request: settings that a server has of its own. */
  readonly body?: Readonly<Record<string, unknown>>
}

export interface OpenAiModel extends ModelService {
  /** Ends its sockets; calls in flight fail. */
  close(): Promise<void>
}

/**
 * A model behind the chat completions API: OpenAI, Ollama, vLLM, LiteLLM and others. Tools, results, images, the output schema of
 * an agent without tools and its `generateContentConfig` are said in the API's words; answers arrive whole.
 *
 * Rejects with `CallFailedError`: 408, 429 (with its `Retry-After`), 5xx, lost connections and answers that are no completion may
 * be tried again, other statuses not.
 *
 * @example
 * const llama = openAiModel({ baseUrl: "http://127.0.0.1:11434/v1", model: "llama3" })
 * const run = createRunner({ models: { llama } }).start(chart, { prompt: "Hello!" })
 */
export function openAiModel({ baseUrl = "https://api.openai.com/v1", apiKey, model, headers, body, ...options }: OpenAiModelOptions = {}): OpenAiModel {
  const client = createHttpClient(options)
  const authorization = apiKey === undefined ? {} : { authorization: "Bearer {{ $secret('apiKey') }}" }
  const { templates, values } = secretHeaders(headers)
  const endpoint: HttpEndpoint = { url: `${baseUrl.replace(/\/+$/, "")}/chat/completions`, method: "POST", headers: { ...headers, ...templates, ...authorization } }
  const callEndpoint = createCallEndpoint({ client, secrets: { read: (name) => (name === "apiKey" ? apiKey : values.get(name)) } })

  const bodyOf = (request: ModelRequest): string =>
    JSON.stringify({
      model: model ?? withoutPrefix(request.model ?? ""),
      messages: chatMessages(request.messages),
      ...(request.tools.length > 0 && { tools: request.tools }),
      ...(request.generationConfig === undefined ? {} : generationSettings(request.generationConfig)),
      // With tools beside it the schema would hold for calls as well.
      ...(request.outputSchema !== undefined &&
        request.tools.length === 0 && { response_format: { type: "json_schema", json_schema: { name: "answer", schema: request.outputSchema } } }),
      ...body,
    })

  return {
    async call(request, signal) {
      const caller = { subject: `agent "${request.agent}"`, failureCode: "model_call_failed" } as const
      const { runId, agent, path, branch, idempotencyKey, attempt } = request
      const toCall = (filled: { readonly url: URL; readonly headers: Readonly<Record<string, string>> }) => ({
        url: filled.url,
        headers: { "content-type": "application/json", accept: "application/json", ...filled.headers },
        body: bodyOf(request),
      })
      const { answer, mask, malformed } = await callEndpoint({ runId, agent, path, branch, idempotencyKey, attempt, endpoint }, { state: {}, context: {} }, caller, toCall, signal)
      const json = readJson(answer.text)
      if (!json.ok) throw malformed(json.reason)
      const read = readCompletion(json.value)
      if (typeof read === "string") throw malformed(read)
      return mask.value(read)
    },
    close: () => client.close(),
  }
}

/** Headers with a secret as templates that read it, so that it is masked in what comes back. */
function secretHeaders(headers: Readonly<Record<string, string>> = {}): { readonly templates: Readonly<Record<string, string>>; readonly values: ReadonlyMap<string, string> } {
  const values = new Map<string, string>()
  const templates: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === "" || !mayBeSecret(name)) continue
    const { scheme, credential } = credentialIn(value)
    const key = `header ${name.replace(/[^\w-]/g, "")}`
    values.set(key, credential)
    templates[name] = `${scheme}{{ $secret('${key}') }}`
  }
  return { templates, values }
}

/** `gpt-5` for `openai:gpt-5`; Ollama's tags, as in `llama3:8b`, are no prefixes. */
const withoutPrefix = (name: string): string => name.replace(/^(?:openai|ollama):/, "")
