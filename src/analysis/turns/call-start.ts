import { finishedOutcomes } from "../../policies/policy.js"
import type { Occurrence } from "../../policies/occurrence.js"
import type { RunEffect, End, Variant } from "../behavior/behavior.js"
import { occurrenceEffect } from "../behavior/behavior.js"
import { endSteps } from "./call-end.js"
import type { CallProgress, CallStep } from "./call-step.js"
import { callStep } from "./call-step.js"
import { functionStart } from "../behavior/function-steps.js"

/** Returns the steps that start the execution of a tool call, after all checks before the call. */
export const executionSteps = (progress: CallProgress): readonly CallStep[] => {
  const { caller, tool, slot, call } = progress
  const made: Occurrence = { kind: "call", ...caller.about(tool, slot), approved: call.approved }
  const use: readonly RunEffect[] =
    tool.undeclaredToolset === null
      ? []
      : [
          {
            type: "function",
            use: {
              name: tool.undeclaredToolset,
              of: "toolset",
              capability: `list ${tool.name}`,
              runs: [],
            },
          },
        ]
  const callStarted: CallProgress = {
    ...progress,
    call: { ...call, made: true },
    effects: [...progress.effects, ...use, occurrenceEffect(made)],
    does: progress.does ?? `${tool.name} is called.`,
  }
  if (tool.machine !== null)
    return caller
      .targetOf(tool, slot)
      .start()
      .flatMap((variant) => afterTarget(callStarted, variant))
  const started =
    tool.service === null
      ? []
      : functionStart(tool.service, caller.agent, caller.location, caller.setting)
  return [
    callStep(
      { ...callStarted, effects: [...callStarted.effects, ...started] },
      { stage: "atWork" },
    ),
  ]
}

/**
 * Returns the next steps of an AgentTool's call. They follow a step of the agent that the tool
 * runs. If this agent has ended, the call ends too.
 */
export const afterTarget = (
  progress: CallProgress,
  { effects, next, end }: Variant,
): readonly CallStep[] => {
  const reached: CallProgress = { ...progress, effects: [...progress.effects, ...effects] }
  return next === null
    ? afterEnd(reached, end)
    : [callStep(reached, { stage: "atWork", inner: next })]
}

const afterEnd = (progress: CallProgress, end: End | null): readonly CallStep[] => {
  if (end?.signal === "limited")
    return [callStep(progress, { stage: "done", inner: null, result: "error" }, { limited: true })]
  const isGood = end !== null && finishedOutcomes.includes(end.signal)
  return endSteps({
    ...progress,
    call: { ...progress.call, inner: null, result: isGood ? "value" : "error" },
  })
}

/**
 * Returns the next steps of a tool call that is approved and allowed. If callbacks run before the
 * call, they come first and can still prevent the execution.
 */
export const stepsAfterApproval = (progress: CallProgress): readonly CallStep[] =>
  progress.tool.before.length > 0
    ? [callStep(progress, { stage: "before" })]
    : executionSteps(progress)

export const confirmationSteps = (progress: CallProgress): readonly CallStep[] => {
  const { tool, does } = progress
  return tool.mustConfirm
    ? [
        callStep(
          { ...progress, does: does ?? `A person is asked to approve ${tool.name}.` },
          { stage: "confirming" },
        ),
      ]
    : stepsAfterApproval(progress)
}
