import { AgentStatechartsError } from "../../errors.js"

export const runExists = (runId: string): AgentStatechartsError =>
  new AgentStatechartsError(
    "run_exists",
    `the run "${runId}" already exists; resume it or choose another id`,
  )

export const runOwned = (runId: string, owner: string): AgentStatechartsError =>
  new AgentStatechartsError(
    "run_owned",
    `run "${runId}" is owned by ${owner}; wait until it ends there, or stop that process first`,
  )

/** The error of an append after another process took over the run. The record was not stored. */
export const runLost = (runId: string): AgentStatechartsError =>
  new AgentStatechartsError(
    "run_owned",
    `run "${runId}" was taken over by another process; this process no longer stores its records`,
  )
