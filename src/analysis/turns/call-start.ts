import { finishedOutcomes } from "../../policies/policy.js"
import type { Occurrence } from "../../policies/occurrence.js"
import type { RunEffect, End, Variant } from "../behavior/behavior.js"
import { after, occurs } from "../behavior/behavior.js"
import { finish } from "./call-end.js"
import type { ToolCaller, CallStep, CallState } from "./call-step.js"
import { callStep, toolOf } from "./call-step.js"
import { functionStart } from "../behavior/function-steps.js"

/** Returns the steps of a call that is made now. */
export const make = (
  caller: ToolCaller,
  call: CallState,
  slot: number,
  does: string | null,
  records: number,
  effects: readonly RunEffect[] = [],
): readonly CallStep[] => {
  const tool = toolOf(caller, call)
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
  const says = does ?? `${tool.name} is called.`
  if (tool.machine === null)
    return [
      callStep(
        caller,
        { ...call, stage: "atWork" },
        [
          ...effects,
          ...use,
          occurs(made),
          ...(tool.service === null
            ? []
            : functionStart(tool.service, caller.agent, caller.place, caller.setting)),
        ],
        records,
        says,
      ),
    ]
  return caller
    .targetOf(tool, slot)
    .start()
    .flatMap((variant) =>
      targetSteps(
        caller,
        call,
        slot,
        after([...effects, ...use, occurs(made)], [variant]),
        records,
        says,
      ),
    )
}

/** Returns the steps after a step of the target of an AgentTool. */
export const targetSteps = (
  caller: ToolCaller,
  call: CallState,
  slot: number,
  variants: readonly Variant[],
  records: number,
  does: string | null,
): readonly CallStep[] =>
  variants.flatMap(({ effects, next, end }) =>
    next === null
      ? afterTarget(caller, call, slot, effects, end, records, does)
      : [callStep(caller, { ...call, stage: "atWork", inner: next }, effects, records, does)],
  )

const afterTarget = (
  caller: ToolCaller,
  call: CallState,
  slot: number,
  effects: readonly RunEffect[],
  end: End | null,
  records: number,
  does: string | null,
): readonly CallStep[] => {
  if (end?.signal === "limited")
    return [
      callStep(
        caller,
        { ...call, stage: "done", inner: null, result: "error" },
        effects,
        records,
        does,
        {
          limited: true,
        },
      ),
    ]
  const isGood = end !== null && finishedOutcomes.includes(end.signal)
  return finish(
    caller,
    { ...call, inner: null, result: isGood ? "value" : "error" },
    slot,
    effects,
    records,
    does,
  )
}

/** Returns the steps after everything that can prevent a call but callbacks. */
export const ready = (
  caller: ToolCaller,
  call: CallState,
  slot: number,
  effects: readonly RunEffect[],
  records: number,
  does: string | null,
): readonly CallStep[] => {
  const tool = toolOf(caller, call)
  return tool.before.length > 0
    ? [callStep(caller, { ...call, stage: "before" }, effects, records, does)]
    : make(caller, call, slot, does, records, effects)
}

export const confirmed = (
  caller: ToolCaller,
  call: CallState,
  slot: number,
  effects: readonly RunEffect[],
  records: number,
  does: string | null,
): readonly CallStep[] => {
  const tool = toolOf(caller, call)
  return tool.mustConfirm
    ? [
        callStep(
          caller,
          { ...call, stage: "confirming" },
          effects,
          records,
          does ?? `A person is asked to approve ${tool.name}.`,
        ),
      ]
    : ready(caller, call, slot, effects, records, does)
}
