import type { Message, ModelAnswer, ToolDeclaration } from "../../machines/contract/services.js"
import type { Content, Part } from "../events/content.js"
import { textOf } from "../events/content.js"
import type { SaidContent } from "../events/message-parts.js"
import { contentOf } from "../events/message-parts.js"
import type { UsageMetadata } from "../events/event.js"

/**
 * The request of a model call in ADK's format. It is read-only. To replace the model call, return a
 * response from the callback.
 */
export interface LlmRequest {
  readonly model?: string
  readonly contents: readonly SaidContent[]
  readonly config: {
    readonly systemInstruction?: string
    readonly tools: readonly {
      readonly functionDeclarations: readonly {
        readonly name: string
        readonly description: string
        readonly parametersJsonSchema: object
      }[]
    }[]
  }
}

/** A model's response in ADK's format, or the response that a callback returns to replace it. */
export interface LlmResponse {
  readonly content?: Content
  readonly usageMetadata?: UsageMetadata
}

/** The model request in the format of the machines, from which `LlmRequest` is created. */
export interface HookRequest {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDeclaration[]
  readonly model: string | null
}

export function llmRequest({ messages, tools, model }: HookRequest): LlmRequest {
  const system = messages.flatMap((message) => (message.role === "system" ? [message.content] : []))
  return deeplyFrozen({
    ...(model === null ? {} : { model }),
    contents: messages.flatMap((message) =>
      message.role === "system" ? [] : [contentOf(message)],
    ),
    config: {
      ...(system.length === 0 ? {} : { systemInstruction: system.join("\n\n") }),
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
 * Freezes a value and all values inside it, so that a callback that changes the request causes an
 * error.
 */
function deeplyFrozen<Value extends object>(value: Value): Value {
  for (const inner of Object.values(value))
    if (typeof inner === "object" && inner !== null && !Object.isFrozen(inner))
      deeplyFrozen(inner as object)
  return Object.freeze(value)
}

export function llmResponse(answer: ModelAnswer): LlmResponse {
  const calls = answer.toolCalls.map(({ id, name, args }): Part => ({
    functionCall: { ...(id === null ? {} : { id }), name, args },
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
})

/**
 * Converts a response in ADK's format to the raw response of a model service
 * (docs/semantics.md#model-calls).
 */
export function rawAnswer({ content, usageMetadata }: LlmResponse): unknown {
  const calls = content?.parts?.flatMap(({ functionCall }) => functionCall ?? []) ?? []
  return {
    content: textOf(content),
    toolCalls: calls.map(({ id, name, args }) => ({
      ...(id === undefined ? {} : { id }),
      function_name: name,
      function_args: args ?? {},
    })),
    ...(usageMetadata === undefined
      ? {}
      : {
          usage: {
            inputTokens: usageMetadata.promptTokenCount,
            outputTokens: usageMetadata.candidatesTokenCount,
          },
        }),
  }
}
