/**
 * What somebody said, in the form that ADK has from `@google/genai`, whose own contents fit as well. `model` is the agent, `user`
 * everybody else, tools included.
 */
export interface Content {
  readonly role?: string
  readonly parts?: readonly Part[]
}

/** One of text, file, call of a tool, result of a tool. */
export interface Part {
  readonly text?: string
  /** `data` in base64. */
  readonly inlineData?: { readonly mimeType?: string; readonly data?: string }
  readonly fileData?: { readonly mimeType?: string; readonly fileUri?: string }
  readonly functionCall?: FunctionCall
  readonly functionResponse?: FunctionResponse
}

export interface FunctionCall {
  readonly id?: string
  readonly name?: string
  readonly args?: Readonly<Record<string, unknown>>
}

export interface FunctionResponse {
  readonly id?: string
  readonly name?: string
  readonly response?: Readonly<Record<string, unknown>>
}

export const modelText = (text: string): Content => ({ role: "model", parts: [{ text }] })

/** All text of a content; null where it holds none. */
export function textOf(content: Content | undefined): string | null {
  const texts = content?.parts?.flatMap(({ text }) => text ?? []) ?? []
  return texts.length === 0 ? null : texts.join("")
}
