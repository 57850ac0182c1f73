import { AgentStatechartsError } from "../../errors.js"
import { isJsonObject } from "../data/json-object.js"
import type { SessionState, StatePatch } from "../data/session-state.js"
import { isHiddenKey, readKey } from "../data/session-state.js"

/**
 * The stored content of an artifact (docs/semantics.md#artifacts). It is either a text, or base64
 * data with its MIME type.
 */
export type Artifact = string | { readonly mimeType: string; readonly data: string }

export type Artifacts = Readonly<Record<string, Artifact>>

/**
 * Prefix of the session state keys that contain artifacts. Because artifacts are part of the state,
 * they are copied to parallel branches, merged, and passed to AgentTools like other values. The
 * prefix hides the keys from users.
 */
const prefix = "\u0000artifact:"

export const artifactKey = (name: string): string => prefix + name

const nameOfArtifact = (key: string): string | null =>
  key.startsWith(prefix) ? key.slice(prefix.length) : null

export const artifactEntries = (artifacts: Artifacts): Record<string, Artifact> =>
  Object.fromEntries(Object.entries(artifacts).map(([name, value]) => [artifactKey(name), value]))

// Only `artifactEntries` and host functions write these keys. Both validate the artifact first.
export const readArtifact = (state: SessionState, name: string): Artifact | undefined =>
  readKey(state, artifactKey(name)) as Artifact | undefined

/**
 * Returns the artifacts among the entries of a session state or a state patch, by artifact name.
 */
export function artifactsAmong(
  entries: Readonly<Record<string, unknown>>,
): Record<string, Artifact> {
  const found: [string, Artifact][] = []
  for (const key in entries) {
    const name = nameOfArtifact(key)
    if (name !== null) found.push([name, entries[key] as Artifact])
  }
  return Object.fromEntries(found)
}

/**
 * Separator between the name of an artifact and a version number. Older versions are stored under
 * the name, this separator and their number. The newest version is stored under the name alone.
 */
const versionMark = "\u0000v"

export const oldVersionName = (name: string, version: number): string =>
  `${name}${versionMark}${version}`

export const isOldVersion = (name: string): boolean => name.includes(versionMark)

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/**
 * Validates the name and the content of an artifact.
 *
 * @throws AgentStatechartsError `input_refused` if the name or the content is invalid.
 */
export function checkArtifact(name: string, value: unknown): void {
  const refuse = (why: string): never => {
    throw new AgentStatechartsError(
      "input_refused",
      `artifact ${JSON.stringify(name) ?? String(name)}: ${why}`,
    )
  }
  if (typeof name !== "string" || name === "") refuse("the name must be a string that is not empty")
  if (typeof value === "string") return
  if (!isJsonObject(value)) return refuse("the value must be a string or {mimeType, data}")
  const { mimeType, data, ...others } = value
  if (typeof mimeType !== "string" || typeof data !== "string" || Object.keys(others).length > 0)
    refuse("the value must be a string or {mimeType, data}, where both are strings")
  if (typeof data === "string" && (data.length % 4 !== 0 || !base64.test(data)))
    refuse("the data must be base64")
}

/**
 * Returns a state patch without the keys that are hidden from users. Run events contain only the
 * visible keys.
 */
export function visiblePatch(patch: StatePatch): StatePatch {
  const removed = patch.removed.some(isHiddenKey)
    ? patch.removed.filter((key) => !isHiddenKey(key))
    : patch.removed
  for (const key in patch.set) {
    if (isHiddenKey(key))
      return {
        set: Object.fromEntries(Object.entries(patch.set).filter(([one]) => !isHiddenKey(one))),
        removed,
      }
  }
  return removed === patch.removed ? patch : { set: patch.set, removed }
}

/**
 * Returns the text that replaces the placeholder `{artifact.name}` in an instruction. For base64
 * data, the text contains the name and the MIME type, such as `[logo.png: image/png]`.
 */
export const textOfArtifact = (name: string, artifact: Artifact): string =>
  typeof artifact === "string" ? artifact : `[${name}: ${artifact.mimeType}]`
