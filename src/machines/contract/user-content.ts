import { AgentStatechartsError } from "../../errors.js"
import { describeArgument } from "../data/check-arguments.js"
import { isJsonObject } from "../data/json-object.js"

/**
 * The content of a user message. It is a string, or a list of texts, images and files. Model
 * services receive the list unchanged.
 */
export type UserContent = string | readonly UserPart[]

export type UserPart =
  | { readonly text: string }
  /** A file or an image. `data` contains its bytes as base64. */
  | { readonly inline_data: { readonly mime_type: string; readonly data: string } }
  | { readonly file_data: { readonly mime_type?: string; readonly file_uri: string } }

/** Returns all texts of a message's content as one string. Images and files are omitted. */
export const textOfContent = (content: UserContent): string =>
  typeof content === "string"
    ? content
    : content.map((part) => ("text" in part ? part.text : "")).join("")

/**
 * Returns the content of a `user.said` event, which is its list of parts. If the event has no
 * parts, returns its text.
 */
export const contentOfMessage = (event: { readonly [field: string]: unknown }): UserContent =>
  (event["parts"] as readonly UserPart[] | undefined) ?? (event["text"] as string)

/**
 * Validates the content of a user message.
 *
 * @param what Subject of the error message, such as `the prompt`.
 * @throws AgentStatechartsError `input_refused` if the value is not a text or a list of parts.
 */
export function checkUserContent(content: unknown, what: string): UserContent {
  if (typeof content === "string") return content
  if (Array.isArray(content) && content.length > 0 && content.every(isPart)) return content
  throw new AgentStatechartsError(
    "input_refused",
    `${what} must be a string such as "Hello", or a list of {text}, {inline_data: {mime_type, data}} and {file_data: {mime_type?, file_uri}}, but is ${describeArgument(content)}`,
  )
}

const isText = (value: unknown): boolean => typeof value === "string"

function isPart(part: unknown): part is UserPart {
  if (!isJsonObject(part) || Object.keys(part).length !== 1) return false
  const { text, inline_data: inline, file_data: file } = part
  if (isJsonObject(inline))
    return (
      holdsOnly(inline, "mime_type", "data") &&
      isText(inline["mime_type"]) &&
      isText(inline["data"])
    )
  if (isJsonObject(file))
    return (
      holdsOnly(file, "mime_type", "file_uri") &&
      isText(file["file_uri"]) &&
      isText(file["mime_type"] ?? "")
    )
  return isText(text)
}

const holdsOnly = (part: object, ...fields: readonly string[]): boolean =>
  Object.keys(part).every((field) => fields.includes(field))
