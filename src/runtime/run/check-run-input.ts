import type { Artifacts } from "../../machines/contract/artifacts.js"
import { checkArtifact } from "../../machines/contract/artifacts.js"
import { checkGivenState } from "../../machines/containers/session-contents.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import { checkUserContent } from "../../machines/contract/user-content.js"

interface Given {
  readonly prompt?: UserContent | null | undefined
  readonly state?: Readonly<Record<string, unknown>> | undefined
  readonly artifacts?: Artifacts | undefined
}

/**
 * Checks that the journal can store the prompt, the state and the artifacts of a new run.
 *
 * @throws AgentStatechartsError `input_refused` if the journal cannot store them
 */
export function checkRunInput({ prompt = null, state = {}, artifacts = {} }: Given): void {
  if (prompt !== null) checkUserContent(prompt, "the prompt")
  checkGivenState(state)
  for (const [name, artifact] of Object.entries(artifacts)) checkArtifact(name, artifact)
}
