import type { Artifact } from "../../machines/contract/artifacts.js"
import { artifactKey, artifactsAmong, checkArtifact } from "../../machines/contract/artifacts.js"
import { checkGivenState } from "../../machines/containers/session-contents.js"
import { isHiddenKey } from "../../machines/data/session-state.js"
import type { HostArtifacts, HostState } from "./host-function.js"

/** Returns a view of the state without the artifacts, which are stored under hidden keys. */
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
 * Returns the artifacts in a state. Saved artifacts are recorded with the state changes of the
 * function.
 */
export const artifactsOf = (all: HostState): HostArtifacts => ({
  saveArtifact: async (name, value) => {
    checkArtifact(name, value)
    all.set(artifactKey(name), value)
  },
  // Only `saveArtifact` and the start of a run write these keys, and both check the value.
  loadArtifact: async (name) => (all.get(artifactKey(name)) as Artifact | undefined) ?? null,
  listArtifacts: async () => Object.keys(artifactsAmong(all.toObject())).sort(),
})
