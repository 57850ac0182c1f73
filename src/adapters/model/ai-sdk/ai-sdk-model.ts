import type { AssistantModelMessage, LanguageModel, ModelMessage, ToolSet } from "ai"
import {
  CallFailedError,
  type ModelRequest,
  type ModelService,
} from "../../../machines/contract/services.js"
import type { DeltaStream } from "../../../machines/contract/delta-stream.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import { hasSubscriber } from "../has-subscriber.js"
import { callSettings } from "./call-settings.js"
import { sdkPrompt } from "./model-messages.js"
import { sdkFailure } from "./sdk-failure.js"
import { providerMessages } from "./provider-messages.js"
import { generateText, jsonSchema, Output, streamText, tool } from "./sdk.js"

type SdkOptions = Parameters<typeof generateText>[0]

export interface AiSdkModelOptions {
  /**
   * Provider-specific settings of the AI SDK, by provider name. They are passed to the SDK with
   * each call.
   */
  readonly providerOptions?: NonNullable<SdkOptions["providerOptions"]>
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Whether to stream a response if a program has subscribed to the events of the run. Default:
   * true.
   */
  readonly stream?: boolean
}

/**
 * Creates a model service from a language model of the Vercel AI SDK, with any provider. The SDK
 * does not execute tools, but returns tool calls to the run. The SDK makes only one attempt,
 * because the run controls retries.
 *
 * A failed call rejects with `CallFailedError`. The error is retryable if the provider marks it as
 * retryable, the connection was lost, a stream was interrupted, or the response is unreadable.
 *
 * @example
 * const writer = aiSdkModel(anthropic("claude-opus-4-5"))
 * const run = createRunner({ models: { writer } }).start(chart, { prompt: "Hello!" })
 */
export function aiSdkModel(
  model: LanguageModel,
  { providerOptions, headers, stream = true }: AiSdkModelOptions = {},
): ModelService {
  const responses = providerMessages()
  return {
    async call(request, { signal, live }) {
      const { runId } = request
      const { messages, ...system } = sdkPrompt(request.messages)
      const options = {
        model,
        ...system,
        messages: messages.map((message) =>
          message.role === "assistant" ? responses.restore(runId, message) : message,
        ),
        ...callSettings(request.generationConfig ?? {}),
        ...(request.tools.length > 0 && { tools: toolsOf(request) }),
        ...answerFormat(request),
        ...(providerOptions !== undefined && { providerOptions }),
        ...(headers !== undefined && { headers: { ...headers } }),
        maxRetries: 0,
        abortSignal: signal,
      }
      const subject = `agent "${request.agent}"`
      try {
        const answer =
          stream && live !== undefined && (await hasSubscriber(live))
            ? await generateStream(options, live, subject)
            : await generate(options)
        responses.keep(runId, answer.message)
        return answerOf(answer, subject)
      } catch (error) {
        signal.throwIfAborted()
        throw sdkFailure(error, subject, request)
      }
    },
  }
}

/**
 * Converts the tools of a model request to the format of the AI SDK. The tools have no `execute`
 * function, so that the SDK returns tool calls instead of executing them.
 */
const toolsOf = ({ tools }: ModelRequest): ToolSet =>
  Object.fromEntries(
    tools.map(({ function: { name, description, parameters } }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters) }),
    ]),
  )

/**
 * Returns the options of the AI SDK for the output format. If the agent has tools, the output
 * schema is sent only when the model must answer, because the schema would prevent tool calls. The
 * run always validates the text against the schema.
 */
function answerFormat({ outputSchema, tools, mustAnswer }: ModelRequest) {
  if (outputSchema === undefined || (tools.length > 0 && mustAnswer !== true)) return {}
  const output = {
    ...Output.text(),
    responseFormat: Promise.resolve({
      type: "json" as const,
      name: "answer",
      schema: outputSchema,
    }),
  }
  return { ...(tools.length > 0 && { toolChoice: "none" as const }), output }
}

type Options = Parameters<typeof streamText>[0] & SdkOptions

interface Answer {
  readonly text: string
  readonly calls: readonly {
    readonly toolCallId: string
    readonly toolName: string
    readonly input: unknown
    readonly providerExecuted?: boolean | undefined
  }[]
  readonly usage: {
    readonly inputTokens: number | undefined
    readonly outputTokens: number | undefined
  }
  readonly finish: string
  readonly message: AssistantModelMessage | undefined
}

/**
 * Returns the assistant message of a response. Omits tool messages, which the AI SDK also returns
 * if the provider has executed tools itself.
 */
const assistantMessageIn = ({
  messages,
}: {
  readonly messages: readonly ModelMessage[]
}): AssistantModelMessage | undefined => messages.find((message) => message.role === "assistant")

async function generate(options: Options): Promise<Answer> {
  const { text, toolCalls, usage, finishReason, response } = await generateText(options)
  return {
    text,
    calls: toolCalls,
    usage,
    finish: finishReason,
    message: assistantMessageIn(response),
  }
}

async function generateStream(
  options: Options,
  live: DeltaStream,
  subject: string,
): Promise<Answer> {
  const texts: string[] = []
  const calls: Answer["calls"][number][] = []
  let end: Pick<Answer, "usage" | "finish"> | null = null
  // Errors are also part of the stream. Without this handler, the SDK would print them.
  const result = streamText({ ...options, onError: () => {} })
  for await (const part of result.fullStream) {
    live.keepAlive()
    if (part.type === "text-delta") {
      texts.push(part.text)
      live.write(part.text)
    } else if (part.type === "tool-call") calls.push(part)
    else if (part.type === "error") throw part.error
    // If a stream is interrupted, some providers report no finish reason.
    else if (
      part.type === "finish-step" &&
      !(part.finishReason === "other" && part.rawFinishReason === undefined)
    )
      end = { usage: part.usage, finish: part.finishReason }
  }
  options.abortSignal?.throwIfAborted()
  if (end === null)
    throw malformedAnswer(subject, "the stream ended before the response was complete")
  return { text: texts.join(""), calls, ...end, message: assistantMessageIn(await result.response) }
}

const malformedAnswer = (subject: string, reason: string): CallFailedError =>
  new CallFailedError({
    code: "service_answer_malformed",
    message: `${subject}: ${reason}`,
    retryable: true,
  })

function answerOf(
  { text, calls, usage, finish }: Answer,
  subject: string,
): Readonly<Record<string, unknown>> {
  // The run does not execute tools that the provider has already executed.
  const asked = calls.filter(({ providerExecuted }) => providerExecuted !== true)
  for (const { toolName, input } of asked)
    if (!isJsonObject(input))
      throw malformedAnswer(
        subject,
        `arguments of the function "${toolName}" that are not a JSON object`,
      )
  if (text === "" && asked.length === 0 && finish === "length")
    throw malformedAnswer(subject, "an empty message, because the token limit was reached first")
  const { inputTokens, outputTokens } = usage
  return {
    content: text === "" && asked.length > 0 ? null : text,
    toolCalls: asked.map(({ toolCallId, toolName, input }) => ({
      id: toolCallId,
      function_name: toolName,
      function_args: input,
    })),
    ...(inputTokens !== undefined &&
      outputTokens !== undefined && { usage: { inputTokens, outputTokens } }),
  }
}
