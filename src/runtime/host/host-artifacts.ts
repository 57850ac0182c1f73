import type { Artifact } from "../../machines/contract/artifacts.js"
import { artifactKey, artifactsAmong, checkArtifact } from "../../machines/contract/artifacts.js"
import { checkGivenState } from "../../machines/containers/session-contents.js"
import { isHiddenKey } from "../../machines/data/session-state.js"
import type { HostArtifacts, HostState } from "./host-function.js"

/**
 * Returns a view of a session state that hides the artifacts. Artifacts are stored in the state
 * under hidden keys.
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
 * Returns functions that save, load and list the artifacts in a session state. A saved artifact is
 * recorded together with the state changes of the host function.
 */
export const artifactsOf = (all: HostState): HostArtifacts => ({
  saveArtifact: async (name, value) => {
    checkArtifact(name, value)
    all.set(artifactKey(name), value)
  },
  // The cast is safe: only `saveArtifact` and the start of a run write these keys, and both
  // validate the artifact.
  loadArtifact: async (name) => (all.get(artifactKey(name)) as Artifact | undefined) ?? null,
  listArtifacts: async () => Object.keys(artifactsAmong(all.toObject())).sort(),
})
