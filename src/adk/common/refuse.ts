import { AgentStatechartsError } from "../../errors.js"

/**
 * Throws the error `definition_refused` for an invalid constructor argument. The message contains
 * the problem and a suggested fix.
 */
export const refuse = (problem: string, fix: string): never => {
  throw new AgentStatechartsError("definition_refused", `${problem} ${fix}`)
}
