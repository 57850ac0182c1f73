import type { RunEffect } from "../behavior/behavior.js"
import { close, finish } from "./call-end.js"
import type { ToolCaller, CallOutcome, CallStep, CallState } from "./call-step.js"
import { callStep } from "./call-step.js"
import { functionRuns, functionSequence } from "../behavior/function-steps.js"
import { declarationOf } from "../behavior/setting.js"
import type { TurnTool } from "./turn-tools.js"

export function callbacksAfter(
  caller: ToolCaller,
  call: CallState,
  tool: TurnTool,
  slot: number,
): readonly CallStep[] {
  const runs = functionSequence(tool.later, caller.agent, caller.place, caller.setting)
  const mayAnswer = tool.later.some(
    (service) => declarationOf(caller.setting, service)?.mayAnswer !== false,
  )
  return runs.flatMap((run) => [
    close(caller, call, slot, run.effects, 1, run.does),
    ...(mayAnswer
      ? [
          close(
            caller,
            { ...call, result: call.result === "value" ? "error" : "value" },
            slot,
            run.effects,
            1,
            run.does,
          ),
        ]
      : []),
    callStep(
      caller,
      { ...call, stage: "done", result: "error" },
      run.effects,
      1,
      "A callback throws.",
      {
        failed: true,
      },
    ),
  ])
}

/** Returns the results of a call that another program or a host function answers. */
export function results(
  caller: ToolCaller,
  call: CallState,
  tool: TurnTool,
  slot: number,
): readonly CallStep[] {
  const runs =
    tool.service === null
      ? [{ effects: [], does: null }]
      : functionRuns(tool.service, caller.agent, caller.place, caller.setting)
  return runs.flatMap((run) => [
    ...finish(
      caller,
      { ...call, result: "value" },
      slot,
      run.effects,
      1,
      run.does ?? `${tool.name} returns a result.`,
    ),
    ...finish(
      caller,
      { ...call, result: "error" },
      slot,
      run.effects,
      1,
      run.does ?? `${tool.name} fails.`,
    ),
    callStep(caller, { ...call, stage: "pending" }, run.effects, 1, `${tool.name} answers later.`),
    ...functionActions(caller, call, tool, slot, run.effects),
  ])
}

/** Returns the results with which a function also decides about the turn. */
function functionActions(
  caller: ToolCaller,
  call: CallState,
  tool: TurnTool,
  slot: number,
  effects: readonly RunEffect[],
): readonly CallStep[] {
  if (tool.service === null) return []
  const declared = declarationOf(caller.setting, tool.service)
  if (declared === null && caller.setting.undeclared === "helpful") return []
  const outcomes: Partial<CallOutcome>[] = []
  if (declared === null || declared.mayEscalate) outcomes.push({ escalates: true })
  if (declared === null || declared.maySkipSummarization) outcomes.push({ answered: true })
  const definition = caller.setting.chart.agents[caller.agent]
  const targets = definition?.type === "LlmAgent" ? definition.transferTargets : []
  for (const target of declared?.mayTransferTo ?? targets)
    if (targets.includes(target)) outcomes.push({ transfersTo: target })
  return outcomes.map((outcome) =>
    close(
      caller,
      { ...call, result: "value" },
      slot,
      effects,
      1,
      `${tool.name} returns a result.`,
      outcome,
    ),
  )
}
