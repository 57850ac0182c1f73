/**
 * The content of a message, in the format of `@google/genai`. The role is `model` for agents, and
 * `user` for users and for tool results.
 */
export interface Content {
  readonly role?: string
  readonly parts?: readonly Part[]
}

/**
 * One part of a content: a text, a file, a tool call or a tool result. Only the matching field is
 * set.
 */
export interface Part {
  readonly text?: string
  /** A file that is included in the message. `data` is the base64 encoding of the file. */
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

/** Returns all texts of a content as one string. Returns null if the content has no text. */
export function textOf(content: Content | undefined): string | null {
  const texts = content?.parts?.flatMap(({ text }) => text ?? []) ?? []
  return texts.length === 0 ? null : texts.join("")
}
