import { AgentStatechartsError } from "../../errors.js"

/** What every journal says alike. */
export const runExists = (runId: string): AgentStatechartsError =>
  new AgentStatechartsError(
    "run_exists",
    `there is already a run "${runId}"; resume it or choose another id`,
  )

export const runOwned = (runId: string, owner: string): AgentStatechartsError =>
  new AgentStatechartsError(
    "run_owned",
    `run "${runId}" is carried on by ${owner}; let it end there, or end that process first`,
  )

/** An append of somebody whose lease was taken meanwhile: nothing was stored. */
export const runLost = (runId: string): AgentStatechartsError =>
  new AgentStatechartsError(
    "run_owned",
    `run "${runId}" was taken over by another process, so nothing more of it is stored here`,
  )
