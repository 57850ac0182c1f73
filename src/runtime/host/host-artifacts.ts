import type { Artifact } from "../../machines/contract/artifacts.js"
import {
  artifactKey,
  artifactsAmong,
  checkArtifact,
  isOldVersion,
  oldVersionName,
} from "../../machines/contract/artifacts.js"
import { checkGivenState } from "../../machines/containers/session-contents.js"
import { isHiddenKey } from "../../machines/data/session-state.js"
import type { HostArtifacts, HostState } from "./host-function.js"

/**
 * Returns a view of a session state that does not show the artifacts. Artifacts are stored in the
 * session state under hidden keys.
 */
export function withoutArtifacts(all: HostState): HostState {
  return {
    get: (key) => (isHiddenKey(key) ? undefined : all.get(key)),
    has: (key) => !isHiddenKey(key) && all.has(key),
    set: (key, value) => {
      checkGivenState({ [key]: value })
      all.set(key, value)
    },
    delete: (key) => {
      if (!isHiddenKey(key)) all.delete(key)
    },
    toObject: () =>
      Object.fromEntries(Object.entries(all.toObject()).filter(([key]) => !isHiddenKey(key))),
  }
}

/**
 * Returns functions that save, load and list the artifacts in a session state. Saving an artifact
 * changes the session state, so it is recorded like the other state changes of a host function.
 */
export const artifactsOf = (all: HostState): HostArtifacts => ({
  saveArtifact: async (name, value) => {
    checkArtifact(name, value)
    const version = versionsOf(all, name)
    if (version > 0)
      all.set(artifactKey(oldVersionName(name, version - 1)), all.get(artifactKey(name)))
    all.set(artifactKey(name), value)
    return version
  },
  // The cast is safe: only `saveArtifact` and the start of a run write these keys, and both
  // validate the artifact.
  loadArtifact: async (name, version) => {
    const isOld = version !== undefined && version !== versionsOf(all, name) - 1
    const key = artifactKey(isOld ? oldVersionName(name, version) : name)
    return (all.get(key) as Artifact | undefined) ?? null
  },
  listArtifacts: async () =>
    Object.keys(artifactsAmong(all.toObject()))
      .filter((name) => !isOldVersion(name))
      .sort(),
  artifactVersions: async (name) => versionsOf(all, name),
})

/** Returns the number of stored versions of an artifact. */
function versionsOf(all: HostState, name: string): number {
  if (!all.has(artifactKey(name))) return 0
  let older = 0
  while (all.has(artifactKey(oldVersionName(name, older)))) older++
  return older + 1
}
