import { HttpError } from "./http-error.js"

export const runUnknown = (runId: string): HttpError =>
  new HttpError(404, { code: "run_unknown", message: `the run "${runId}" does not exist` })

export const runExists = (runId: string): HttpError =>
  new HttpError(409, {
    code: "run_exists",
    message: `the run "${runId}" already exists; choose another id`,
  })

export const runFinished = (runId: string): HttpError =>
  new HttpError(409, {
    code: "run_finished",
    message: `the run "${runId}" has finished; start a new run`,
  })
