import type { Artifact } from "../../machines/contract/artifacts.js"
import { artifactKey, artifactsAmong, checkArtifact } from "../../machines/contract/artifacts.js"
import { checkGivenState } from "../../machines/containers/session-contents.js"
import { isHiddenKey } from "../../machines/data/session-state.js"
import type { HostArtifacts, HostState } from "./host-function.js"

/** The state of host code without the artifacts, which lie in it under hidden keys. */
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

/** Artifacts as host code reads and writes them: what it saves is recorded with what it changes in the state. */
export const artifactsOf = (all: HostState): HostArtifacts => ({
  saveArtifact: async (name, value) => {
    checkArtifact(name, value)
    all.set(artifactKey(name), value)
  },
  // Only `saveArtifact` and the start of a run write under these keys, and both have checked what they write.
  loadArtifact: async (name) => (all.get(artifactKey(name)) as Artifact | undefined) ?? null,
  listArtifacts: async () => Object.keys(artifactsAmong(all.toObject())).sort(),
})
