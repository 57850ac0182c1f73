import type { RunEffect } from "../behavior/behavior.js"
import { occurs } from "../behavior/behavior.js"
import type { ToolCaller, CallOutcome, CallStep, CallState } from "./call-step.js"
import { callStep, toolOf } from "./call-step.js"

/** Returns the steps of a call that has its result: callbacks after the call, then its end. */
export const finish = (
  caller: ToolCaller,
  call: CallState,
  slot: number,
  effects: readonly RunEffect[],
  records: number,
  does: string | null,
): readonly CallStep[] => {
  const tool = toolOf(caller, call)
  return tool.later.length > 0 && call.stage !== "later"
    ? [callStep(caller, { ...call, stage: "later" }, effects, records, does)]
    : [close(caller, call, slot, effects, records, does)]
}

export const close = (
  caller: ToolCaller,
  call: CallState,
  slot: number,
  effects: readonly RunEffect[],
  records: number,
  does: string | null,
  outcome: Partial<CallOutcome> = {},
): CallStep => {
  const tool = toolOf(caller, call)
  const isGood = call.result === "value"
  const written: readonly RunEffect[] =
    isGood && tool.outputKey !== null && caller.setting.keys.has(tool.outputKey)
      ? [
          {
            type: "write",
            key: tool.outputKey,
            value: { type: "any" },
            by: { agent: caller.agent, within: caller.place.within },
          },
        ]
      : []
  const occurrences: readonly RunEffect[] = [
    ...(isGood ? [occurs({ kind: "result", ...caller.about(tool, slot) })] : []),
    occurs({ kind: "returned", ...caller.about(tool, slot) }),
  ]
  return callStep(
    caller,
    { ...call, stage: "done", inner: null },
    [...effects, ...occurrences, ...written],
    records,
    does,
    { ...outcome, ...(isGood && tool.skipsSummarization ? { answered: true } : {}) },
  )
}

/** Returns the first step of a call that ends without being made. */
export const refused = (
  caller: ToolCaller,
  call: CallState,
  effects: readonly RunEffect[],
  records: number,
  does: string,
): CallStep => callStep(caller, { ...call, stage: "done", result: "error" }, effects, records, does)
