import type { RunEffect } from "../behavior/behavior.js"
import { occurrenceEffect } from "../behavior/behavior.js"
import type { CallOutcome, CallProgress, CallStep } from "./call-step.js"
import { callStep } from "./call-step.js"

/**
 * Returns the next step of a tool call whose result is known. If the tool has callbacks that run
 * after the call, they start. Otherwise, the call ends.
 */
export const endSteps = (progress: CallProgress): readonly CallStep[] =>
  progress.tool.later.length > 0 && progress.call.stage !== "later"
    ? [callStep(progress, { stage: "later" })]
    : [endCall(progress)]

export const endCall = (progress: CallProgress, outcome: Partial<CallOutcome> = {}): CallStep => {
  const { caller, tool, slot, call, effects } = progress
  const isGood = call.result === "value"
  const written: readonly RunEffect[] =
    isGood && tool.outputKey !== null && caller.setting.keys.has(tool.outputKey)
      ? [
          {
            type: "write",
            key: tool.outputKey,
            value: { type: "any" },
            by: { agent: caller.agent, within: caller.location.within },
          },
        ]
      : []
  const occurrences: readonly RunEffect[] = call.made
    ? [
        ...(isGood ? [occurrenceEffect({ kind: "result", ...caller.about(tool, slot) })] : []),
        occurrenceEffect({ kind: "returned", ...caller.about(tool, slot) }),
      ]
    : []
  return callStep(
    { ...progress, effects: [...effects, ...occurrences, ...written] },
    { stage: "done", inner: null },
    { ...outcome, ...(isGood && tool.skipsSummarization && { answered: true }) },
  )
}

/**
 * Returns the step that ends a tool call with an error, for example because a person or a policy
 * engine has rejected the call.
 */
export const refuseCall = (progress: CallProgress, outcome: Partial<CallOutcome> = {}): CallStep =>
  callStep(progress, { stage: "done", result: "error" }, outcome)
