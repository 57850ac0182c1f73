import type { UserContent, UserPart } from "../../machines/contract/user-content.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import { readField } from "../reading/fields.js"
import type { LocatedObject } from "../reading/located-value.js"
import { fieldOf, itemsOf, type TypedReader } from "../reading/located-value.js"
import { contentFields, partFields } from "./eval-set-fields.js"

/**
 * Returns the texts of all parts of a message, joined with line breaks. Skips parts without text.
 */
export function contentText(content: LocatedObject, read: TypedReader): string {
  return partsOf(content, read)
    .flatMap((part) => {
      const text = readField(read, part, partFields, "text")
      return text === null ? [] : [text]
    })
    .join("\n")
}

/** A user message without its unsupported parts, and the kinds of the removed parts. */
export interface UserMessage {
  readonly content: UserContent
  readonly text: string
  readonly unsupported: readonly string[]
}

/**
 * Reads the user message of a turn in an eval set. Files and images become parts of the message.
 */
export function userMessage(content: LocatedObject, read: TypedReader): UserMessage {
  const text = contentText(content, read)
  const parts: UserPart[] = []
  const unsupported: string[] = []
  let hasMedia = false
  for (const part of partsOf(content, read)) {
    const partText = fieldOf(part, "text").value
    if (typeof partText === "string") parts.push({ text: partText })
    else {
      const media = mediaPart(part)
      if (media === null) unsupported.push(...kindsOf(part))
      else {
        hasMedia = true
        parts.push(media)
      }
    }
  }
  return { content: hasMedia ? parts : text, text, unsupported }
}

function partsOf(content: LocatedObject, read: TypedReader): readonly LocatedObject[] {
  const list = readField(read, content, contentFields, "parts")
  return (list === null ? [] : itemsOf(list)).flatMap((part) => {
    const object = read.requiredObject(part)
    return object === null ? [] : [object]
  })
}

function mediaPart(part: LocatedObject): UserPart | null {
  const [inline, file] = [fieldOf(part, "inline_data").value, fieldOf(part, "file_data").value]
  if (isJsonObject(inline)) {
    const media = { value: inline, pointer: "" }
    const [mimeType, data] = [fieldOf(media, "mime_type").value, fieldOf(media, "data").value]
    return typeof mimeType === "string" && typeof data === "string"
      ? { inline_data: { mime_type: mimeType, data } }
      : null
  }
  if (isJsonObject(file)) {
    const media = { value: file, pointer: "" }
    const [mimeType, uri] = [fieldOf(media, "mime_type").value, fieldOf(media, "file_uri").value]
    if (typeof uri !== "string") return null
    return {
      file_data: {
        ...(typeof mimeType === "string" && { mime_type: mimeType }),
        file_uri: uri,
      },
    }
  }
  return null
}

const kindsOf = ({ value }: LocatedObject): readonly string[] =>
  Object.entries(value)
    .filter(([, content]) => content !== null)
    .map(([kind]) => kind)
    .slice(0, 1)
