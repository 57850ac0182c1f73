import type { Message, ModelAnswer, ToolDeclaration } from "../../machines/contract/services.js"
import type { Content, Part } from "../events/content.js"
import { textOf } from "../events/content.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import { contentOf, messagesOf } from "../events/message-parts.js"
import type { UsageMetadata } from "../events/event.js"

/**
 * The request of a model call in ADK's format. A callback may change its contents, its system
 * instruction and its tools. To replace the model call, return a response from the callback.
 */
export interface LlmRequest {
  readonly model?: string
  contents: Content[]
  config?: LlmRequestConfig
}

export interface LlmRequestConfig {
  systemInstruction?: unknown
  tools?: {
    functionDeclarations: {
      readonly name: string
      readonly description: string
      readonly parametersJsonSchema: object
    }[]
  }[]
  [setting: string]: unknown
}

/** A model's response in ADK's format, or the response that a callback returns to replace it. */
export interface LlmResponse {
  readonly content?: Content
  readonly usageMetadata?: UsageMetadata
  /**
   * Whether this is only one chunk of a streamed response. The complete response follows after the
   * last chunk.
   */
  readonly partial?: boolean
  readonly errorCode?: string
  readonly errorMessage?: string
}

/**
 * A model request in the internal format of this package. Callbacks receive it as an `LlmRequest`.
 */
export interface HookRequest {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDeclaration[]
  readonly model: string | null
}

/**
 * Converts a model request from the internal format of this package to ADK's format. Returns a
 * copy.
 */
export function llmRequest({ messages, tools, model }: HookRequest): LlmRequest {
  const system = messages.flatMap((message) => (message.role === "system" ? [message.content] : []))
  return structuredClone({
    ...(model !== null && { model }),
    contents: messages.flatMap((message) =>
      message.role === "system" ? [] : [contentOf(message)],
    ),
    config: {
      ...(system.length > 0 && { systemInstruction: system.join("\n\n") }),
      tools:
        tools.length === 0
          ? []
          : [
              {
                functionDeclarations: tools.map(
                  ({ function: { name, description, parameters } }) => ({
                    name,
                    description,
                    parametersJsonSchema: parameters,
                  }),
                ),
              },
            ],
    },
  })
}

/**
 * Converts a request that a callback may have changed from ADK's format to the internal format of
 * this package. Returns null if the callback has not changed the request.
 */
export function changedRequest(before: HookRequest, request: LlmRequest): HookRequest | null {
  const original = llmRequest(before)
  if (JSON.stringify(original) === JSON.stringify(request)) return null
  const { contents, config = {} } = request
  const system = instructionText(config.systemInstruction)
  const tools = (config.tools ?? []).flatMap(({ functionDeclarations = [] }) =>
    functionDeclarations.map(({ name, description, parametersJsonSchema }) => ({
      type: "function" as const,
      function: {
        name,
        description,
        parameters: { ...parametersJsonSchema },
      },
    })),
  )
  return {
    model: before.model,
    messages: [
      ...(system === "" ? [] : [{ role: "system" as const, content: system }]),
      ...contents.flatMap(messagesOf),
    ],
    tools,
  }
}

/**
 * Returns a system instruction as text. The instruction can be a text, a content, or a list of
 * both.
 */
function instructionText(instruction: unknown): string {
  if (typeof instruction === "string") return instruction
  if (Array.isArray(instruction)) return instruction.map(instructionText).join("\n")
  if (!isJsonObject(instruction)) return ""
  if (typeof instruction["text"] === "string") return instruction["text"]
  return instructionText(instruction["parts"])
}

export function llmResponse(answer: ModelAnswer): LlmResponse {
  const calls = answer.toolCalls.map(({ id, name, args }): Part => ({
    functionCall: { ...(id !== null && { id }), name, args },
  }))
  const usage = answer.usage === null ? {} : { usageMetadata: usageOf(answer.usage) }
  return {
    content: {
      role: "model",
      parts: [...(answer.content === null ? [] : [{ text: answer.content }]), ...calls],
    },
    ...usage,
  }
}

const usageOf = ({
  inputTokens,
  outputTokens,
}: NonNullable<ModelAnswer["usage"]>): UsageMetadata => ({
  promptTokenCount: inputTokens,
  candidatesTokenCount: outputTokens,
  totalTokenCount: inputTokens + outputTokens,
})

/**
 * Converts a response from ADK's format to the format that model services return
 * (docs/semantics.md#model-calls).
 */
export function rawAnswer({ content, usageMetadata }: LlmResponse): unknown {
  const calls = content?.parts?.flatMap(({ functionCall }) => functionCall ?? []) ?? []
  return {
    content: textOf(content),
    toolCalls: calls.map(({ id, name, args }) => ({
      ...(id !== undefined && { id }),
      function_name: name,
      function_args: args ?? {},
    })),
    ...(usageMetadata !== undefined && {
      usage: {
        inputTokens: usageMetadata.promptTokenCount ?? 0,
        outputTokens: usageMetadata.candidatesTokenCount ?? 0,
      },
    }),
  }
}
