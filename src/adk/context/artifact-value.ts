import type { Artifact } from "../../machines/contract/artifacts.js"
import type { Part } from "../events/content.js"

/**
 * Converts a content part to the format in which artifacts are stored. Returns undefined if the
 * part is neither a text nor a file.
 */
export function artifactValue(part: Part | undefined): Artifact | undefined {
  const { text, inlineData } = part ?? {}
  if (text !== undefined) return text
  const { mimeType, data } = inlineData ?? {}
  return mimeType === undefined || data === undefined ? undefined : { mimeType, data }
}

/** Converts a stored artifact to a content part. */
export const artifactPart = (value: Artifact): Part =>
  typeof value === "string" ? { text: value } : { inlineData: value }
