import type { FunctionAct, ToolAct } from "../behavior/act.js"
import type { RunEffect } from "../behavior/behavior.js"
import { acted } from "../behavior/behavior.js"
import { close, finish } from "./call-end.js"
import type { ToolCaller, CallOutcome, CallStep, CallState } from "./call-step.js"
import { callStep } from "./call-step.js"
import { aboutTool, endingAs, functionRuns, functionSequence } from "../behavior/function-steps.js"
import { declarationOf } from "../behavior/setting.js"
import type { TurnTool } from "./turn-tools.js"

export function callbacksAfter(
  caller: ToolCaller,
  call: CallState,
  tool: TurnTool,
  slot: number,
): readonly CallStep[] {
  const runs = functionSequence(tool.later, caller.agent, caller.place, caller.setting).map(
    ({ effects, does }) => ({ effects: aboutTool(effects, tool.name), does }),
  )
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
            endingAs(run.effects, { ends: call.result === "value" ? "fails" : "answers" }),
            1,
            run.does,
          ),
        ]
      : []),
    callStep(
      caller,
      { ...call, stage: "done", result: "error" },
      endingAs(run.effects, { ends: "throws" }),
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
  const runs: readonly { readonly effects: readonly RunEffect[]; readonly does: string | null }[] =
    tool.service === null
      ? [{ effects: [], does: null }]
      : functionRuns(tool.service, caller.agent, caller.place, caller.setting)
  const answering = (
    effects: readonly RunEffect[],
    result: ToolAct["result"],
  ): readonly RunEffect[] =>
    tool.service === null
      ? [acted({ by: "tool", agent: caller.agent, tool: tool.name, result }), ...effects]
      : endingAs(aboutTool(effects, tool.name), { ends: functionEnds[result] })
  return runs.flatMap((run) => [
    ...finish(
      caller,
      { ...call, result: "value" },
      slot,
      answering(run.effects, "value"),
      1,
      run.does ?? `${tool.name} returns a result.`,
    ),
    ...finish(
      caller,
      { ...call, result: "error" },
      slot,
      answering(run.effects, "error"),
      1,
      run.does ?? `${tool.name} fails.`,
    ),
    callStep(
      caller,
      { ...call, stage: "pending" },
      answering(run.effects, "pending"),
      1,
      `${tool.name} answers later.`,
    ),
    ...functionActions(caller, call, tool, slot, answering(run.effects, "value")),
  ])
}

const functionEnds: Readonly<Record<ToolAct["result"], FunctionAct["ends"]>> = {
  value: "returns",
  error: "fails",
  pending: "pending",
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
      endingAs(effects, {
        escalates: outcome.escalates === true,
        skipsSummarization: outcome.answered === true,
        transfersTo: outcome.transfersTo ?? null,
      }),
      1,
      `${tool.name} returns a result.`,
      outcome,
    ),
  )
}
