import { AgentStatechartsError } from "../../errors.js"

export const runExists = (runId: string): AgentStatechartsError =>
  new AgentStatechartsError(
    "run_exists",
    `the run "${runId}" already exists; resume it or choose another id`,
  )

/**
 * Returns the error for a run that already has an owner. `owner` is a description of the process
 * that owns the run. null if another runner of this process owns it.
 */
export const runOwned = (runId: string, owner: string | null): AgentStatechartsError =>
  new AgentStatechartsError(
    "run_owned",
    owner === null
      ? `run "${runId}" is owned by another runner of this process; use that runner, or close it first`
      : `run "${runId}" is owned by ${owner}; wait until it ends there, or stop that process first`,
  )

/**
 * Returns the error for a record that was not stored, because another process has taken over the
 * run.
 */
export const runLost = (runId: string): AgentStatechartsError =>
  new AgentStatechartsError(
    "run_owned",
    `run "${runId}" was taken over by another process; this process no longer stores its records`,
  )
