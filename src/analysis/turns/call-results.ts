import type { FunctionAct, ToolAct } from "../behavior/act.js"
import type { RunEffect } from "../behavior/behavior.js"
import { responseEffect } from "../behavior/behavior.js"
import { endCall, endSteps, refuseCall } from "./call-end.js"
import type { CallOutcome, CallProgress, CallStep, ToolCallContext } from "./call-step.js"
import { afterRecord, callStep } from "./call-step.js"
import type { FunctionRun } from "../behavior/function-steps.js"
import {
  withTool,
  assumed,
  canDo,
  withFunctionResult,
  functionRuns,
  functionSequence,
} from "../behavior/function-steps.js"
import { declarationOf } from "../behavior/setting.js"

export function afterCallbackSteps(context: ToolCallContext): readonly CallStep[] {
  const { caller, tool, call } = context
  const runs = functionSequence(tool.later, caller.agent, caller.location, caller.setting).map(
    ({ effects, does }) => ({ effects: withTool(effects, tool.name), does }),
  )
  const answering = tool.later.find((service) =>
    canDo(service, caller.setting, ({ mayAnswer }) => mayAnswer),
  )
  const isGood = call.result === "value"
  return runs.flatMap(({ effects, does }) => [
    endCall(afterRecord(context, {}, effects, does)),
    ...(answering === undefined
      ? []
      : [
          endCall(
            afterRecord(
              context,
              { result: isGood ? "error" : "value" },
              [
                ...withFunctionResult(effects, { ends: isGood ? "fails" : "answers" }),
                ...assumed(answering, `replace the result of ${tool.name}`, caller.setting),
              ],
              does,
            ),
          ),
        ]),
    refuseCall(
      afterRecord(
        context,
        {},
        withFunctionResult(effects, { ends: "throws" }),
        "A callback throws.",
      ),
      {
        failed: true,
      },
    ),
  ])
}

/**
 * Returns the steps in which a tool call receives its result from another program or a host
 * function. The result is a value or an error, or it is delivered later.
 */
export function resultSteps(context: ToolCallContext): readonly CallStep[] {
  const { caller, tool } = context
  const runs: readonly FunctionRun[] =
    tool.service === null
      ? [{ effects: [], does: null }]
      : functionRuns(tool.service, caller.agent, caller.location, caller.setting)
  const answering = (
    effects: readonly RunEffect[],
    result: ToolAct["result"],
  ): readonly RunEffect[] =>
    tool.service === null
      ? [responseEffect({ by: "tool", agent: caller.agent, tool: tool.name, result }), ...effects]
      : withFunctionResult(withTool(effects, tool.name), { ends: functionEnds[result] })
  const returns = `${tool.name} returns a result.`
  return runs.flatMap(({ effects, does }) => [
    ...endSteps(
      afterRecord(context, { result: "value" }, answering(effects, "value"), does ?? returns),
    ),
    ...endSteps(
      afterRecord(
        context,
        { result: "error" },
        answering(effects, "error"),
        does ?? `${tool.name} fails.`,
      ),
    ),
    callStep(
      afterRecord(context, {}, answering(effects, "pending"), `${tool.name} answers later.`),
      { stage: "pending" },
    ),
    ...functionActions(
      afterRecord(context, { result: "value" }, answering(effects, "value"), returns),
    ),
  ])
}

const functionEnds: Readonly<Record<ToolAct["result"], FunctionAct["ends"]>> = {
  value: "returns",
  error: "fails",
  pending: "pending",
}

/**
 * Returns the steps in which the host function of a tool returns a result and also affects the
 * turn, for example by a transfer to another agent.
 */
function functionActions(progress: CallProgress): readonly CallStep[] {
  const { caller, tool, effects } = progress
  if (tool.service === null) return []
  const { service } = tool
  const declared = declarationOf(caller.setting, service)
  if (declared === null && caller.setting.undeclared === "helpful") return []
  const outcomes: Partial<CallOutcome>[] = []
  if (declared === null || declared.mayEscalate) outcomes.push({ escalates: true })
  if (declared === null || declared.maySkipSummarization) outcomes.push({ answered: true })
  const definition = caller.setting.chart.agents[caller.agent]
  const targets = definition?.type === "LlmAgent" ? definition.transferTargets : []
  for (const target of declared?.mayTransferTo ?? targets)
    if (targets.includes(target)) outcomes.push({ transfersTo: target })
  return outcomes.map((outcome) => {
    const capability =
      outcome.escalates === true
        ? "escalate"
        : outcome.answered === true
          ? "skip the summarization"
          : `transfer to ${outcome.transfersTo ?? "an agent"}`
    const acts = [
      ...withFunctionResult(effects, {
        escalates: outcome.escalates === true,
        skipsSummarization: outcome.answered === true,
        transfersTo: outcome.transfersTo ?? null,
      }),
      ...assumed(service, capability, caller.setting),
    ]
    return endCall({ ...progress, effects: acts }, outcome)
  })
}
