import type { Occurrence } from "../../policies/occurrence.js"
import type { RunEffect } from "../behavior/behavior.js"
import { responseEffect, occurrenceEffect } from "../behavior/behavior.js"
import { functionAct } from "../behavior/act.js"
import { endSteps, refuseCall } from "./call-end.js"
import { confirmationSteps, executionSteps, stepsAfterApproval } from "./call-start.js"
import type { CallStep, ToolCallContext } from "./call-step.js"
import { afterRecord, callStep } from "./call-step.js"
import type { FunctionRun } from "../behavior/function-steps.js"
import {
  withTool,
  assumed,
  canDo,
  withFunctionResult,
  functionSequence,
} from "../behavior/function-steps.js"
import { declarationOf } from "../behavior/setting.js"

export function policyDecisionSteps(context: ToolCallContext): readonly CallStep[] {
  const { caller, tool } = context
  const uses = tool.undeclaredEngines.map((name): RunEffect => ({
    type: "function",
    use: {
      name,
      of: "function",
      capability: `decide ${tool.decisions.join(" or ")} for ${tool.name}`,
      runs: [],
    },
  }))
  return tool.decisions.flatMap((decision): readonly CallStep[] => {
    const decided = responseEffect(
      functionAct("", caller.agent, { tool: tool.name, ends: "judges", value: decision }),
    )
    const does = `The policy engine decides ${decision} for ${tool.name}.`
    const progress = afterRecord(context, {}, [decided, ...uses], does)
    if (decision === "DENY") return [refuseCall(progress)]
    if (decision === "ALLOW") return confirmationSteps(progress)
    return [callStep(progress, { stage: "confirming" })]
  })
}

export function approvalSteps(context: ToolCallContext): readonly CallStep[] {
  const { caller, tool, slot } = context
  const { activity: _, ...request } = caller.about(tool, slot)
  const rejected: Occurrence = { kind: "rejection", ...request }
  const person = (does: "approve" | "reject"): RunEffect =>
    responseEffect({ by: "person", agent: caller.agent, tool: tool.name, does })
  const expiry = responseEffect({ by: "clock", agent: caller.agent, ends: "request" })
  return [
    ...stepsAfterApproval(
      afterRecord(
        context,
        { approved: true },
        [person("approve"), occurrenceEffect({ kind: "approval", ...request })],
        `A person approves ${tool.name}.`,
      ),
    ),
    refuseCall(
      afterRecord(
        context,
        {},
        [person("reject"), occurrenceEffect(rejected)],
        `A person rejects ${tool.name}.`,
      ),
    ),
    ...(tool.expires
      ? [
          refuseCall(
            afterRecord(context, {}, [expiry], `The request to approve ${tool.name} expires.`),
            tool.onExpiry === "fail" ? { failed: true } : {},
          ),
        ]
      : []),
  ]
}

export function beforeCallbackSteps(context: ToolCallContext): readonly CallStep[] {
  const { caller, tool, call } = context
  let runs: readonly FunctionRun[] = [{ effects: [], does: null }]
  const steps: CallStep[] = []
  let changesArguments = false
  let undeclared = false
  for (const [index, service] of tool.before.entries()) {
    const declared = declarationOf(caller.setting, service)
    const sequence = functionSequence(
      tool.before.slice(0, index + 1),
      caller.agent,
      caller.location,
      caller.setting,
    )
    runs = sequence.map(({ effects, does }) => ({
      effects: withTool(effects, tool.name).map((effect) => withToolName(effect, tool.name)),
      does,
    }))
    undeclared ||= declared === null
    if (canDo(service, caller.setting, ({ mayChangeArguments }) => mayChangeArguments))
      changesArguments = true
    // An undeclared callback can always prevent the call.
    if (declared === null || declared.mayAnswer)
      for (const { effects } of runs)
        steps.push(
          ...endSteps(
            afterRecord(
              context,
              { result: "value" },
              [
                ...withFunctionResult(effects, { ends: "answers" }),
                ...assumed(service, `answer in place of ${tool.name}`, caller.setting),
              ],
              `The callback "${service}" answers in place of ${tool.name}.`,
            ),
          ),
        )
    for (const { effects } of runs)
      steps.push(
        refuseCall(
          afterRecord(
            context,
            {},
            withFunctionResult(effects, { ends: "throws" }),
            `The callback "${service}" throws.`,
          ),
          { failed: true },
        ),
      )
  }
  if (undeclared && caller.setting.undeclared === "helpful") return steps
  for (const { effects, does } of runs) {
    steps.push(...executionSteps(afterRecord(context, {}, effects, does)))
    if (changesArguments && call.approved) {
      const change: readonly RunEffect[] = tool.before.flatMap((name): readonly RunEffect[] =>
        declarationOf(caller.setting, name) === null
          ? [
              {
                type: "function",
                use: {
                  name,
                  of: "function",
                  capability: `change the arguments of ${tool.name}`,
                  runs: [],
                },
              },
            ]
          : [],
      )
      steps.push(
        ...executionSteps(
          afterRecord(
            context,
            { approved: false },
            [...withFunctionResult(effects, { changesArguments: true }), ...change],
            `A callback changes the arguments of ${tool.name}.`,
          ),
        ),
      )
    }
  }
  return steps
}

const withToolName = (effect: RunEffect, tool: string): RunEffect =>
  effect.type === "function" ? { type: "function", use: { ...effect.use, before: tool } } : effect
