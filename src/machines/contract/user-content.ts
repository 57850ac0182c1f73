import { AgentStatechartsError } from "../../errors.js"
import { isJsonObject } from "../data/json-object.js"

/** What a user says: a text, or texts with images and files between them. Parts go to model services as they are. */
export type UserContent = string | readonly UserPart[]

export type UserPart =
  | { readonly text: string }
  /** `data` is base64. */
  | { readonly inline_data: { readonly mime_type: string; readonly data: string } }
  | { readonly file_data: { readonly mime_type?: string; readonly file_uri: string } }

/** Its texts, for everything that cannot look at parts. */
export const textOfContent = (content: UserContent): string =>
  typeof content === "string"
    ? content
    : content.map((part) => ("text" in part ? part.text : "")).join("")

/** What a `user.said` event brings: `text` always, `parts` where there are some. */
export const contentSaid = (event: { readonly [field: string]: unknown }): UserContent =>
  (event["parts"] as readonly UserPart[] | undefined) ?? (event["text"] as string)

/** @throws AgentStatechartsError `input_refused` for anything else than a text or parts. */
export function checkUserContent(content: unknown, what: string): UserContent {
  if (typeof content === "string") return content
  // Every part was looked at.
  if (Array.isArray(content) && content.length > 0 && content.every(isPart))
    return content as readonly UserPart[]
  throw new AgentStatechartsError(
    "input_refused",
    `${what} must be a string, or a list of {text}, {inline_data: {mime_type, data}} and {file_data: {mime_type?, file_uri}}`,
  )
}

const isText = (value: unknown): boolean => typeof value === "string"

function isPart(part: unknown): boolean {
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
