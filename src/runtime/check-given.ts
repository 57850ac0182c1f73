import type { Artifacts } from "../machines/artifacts.js"
import { checkArtifact } from "../machines/artifacts.js"
import { checkStateKeys } from "../machines/session-contents.js"

/**
 * What a caller gives to a run has to be something that it can keep.
 *
 * @throws AgentStatechartsError `input_refused`.
 */
export function checkGiven({ state = {}, artifacts = {} }: { readonly state?: Readonly<Record<string, unknown>> | undefined; readonly artifacts?: Artifacts | undefined }): void {
  checkStateKeys(state)
  for (const [name, artifact] of Object.entries(artifacts)) checkArtifact(name, artifact)
}
