import { AgentStatechartsError } from "../errors.js"

/** What a constructor cannot work with: says what is wrong, in the user's own names, and what to do. */
export const refuse = (says: string, cure: string): never => {
  throw new AgentStatechartsError("definition_refused", `${says} ${cure}`)
}
