import type { Occurrence } from "../../policies/occurrence.js"
import type { RunEffect } from "../behavior/behavior.js"
import { acted, occurs } from "../behavior/behavior.js"
import { functionAct } from "../behavior/act.js"
import { finish, refused } from "./call-end.js"
import { confirmed, make, ready } from "./call-start.js"
import type { ToolCaller, CallStep, CallState } from "./call-step.js"
import { callStep } from "./call-step.js"
import { aboutTool, endingAs, functionSequence } from "../behavior/function-steps.js"
import { declarationOf } from "../behavior/setting.js"
import type { TurnTool } from "./turn-tools.js"

export function judge(
  caller: ToolCaller,
  call: CallState,
  tool: TurnTool,
  slot: number,
): readonly CallStep[] {
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
    const decided = acted(
      functionAct("", caller.agent, { tool: tool.name, ends: "judges", value: decision }),
    )
    const effects = [decided, ...uses]
    const does = `The policy engine decides ${decision} for ${tool.name}.`
    if (decision === "DENY") return [refused(caller, call, effects, 1, does)]
    if (decision === "ALLOW") return confirmed(caller, call, slot, effects, 1, does)
    return [callStep(caller, { ...call, stage: "confirming" }, effects, 1, does)]
  })
}

export function answer(
  caller: ToolCaller,
  call: CallState,
  tool: TurnTool,
  slot: number,
): readonly CallStep[] {
  const { activity: _, ...request } = caller.about(tool, slot)
  const rejected: Occurrence = { kind: "rejection", ...request }
  const person = (does: "approve" | "reject"): RunEffect =>
    acted({ by: "person", agent: caller.agent, tool: tool.name, does })
  const expiry = acted({ by: "clock", agent: caller.agent, ends: "request" })
  const expiredSteps = !tool.expires
    ? []
    : tool.onExpiry === "fail"
      ? [
          {
            ...refused(caller, call, [expiry], 1, `The request to approve ${tool.name} expires.`),
            outcome: { failed: true },
          },
        ]
      : [refused(caller, call, [expiry], 1, `The request to approve ${tool.name} expires.`)]
  return [
    ...ready(
      caller,
      { ...call, approved: true },
      slot,
      [person("approve"), occurs({ kind: "approval", ...request })],
      1,
      `A person approves ${tool.name}.`,
    ),
    refused(
      caller,
      call,
      [person("reject"), occurs(rejected)],
      1,
      `A person rejects ${tool.name}.`,
    ),
    ...expiredSteps,
  ]
}

export function callbacksBefore(
  caller: ToolCaller,
  call: CallState,
  tool: TurnTool,
  slot: number,
): readonly CallStep[] {
  let runs: readonly { readonly effects: readonly RunEffect[]; readonly does: string | null }[] = [
    { effects: [], does: null },
  ]
  const steps: CallStep[] = []
  let changesArguments = false
  let undeclared = false
  for (const [index, service] of tool.before.entries()) {
    const declared = declarationOf(caller.setting, service)
    const sequence = functionSequence(
      tool.before.slice(0, index + 1),
      caller.agent,
      caller.place,
      caller.setting,
    )
    runs = sequence.map(({ effects, does }) => ({
      effects: aboutTool(effects, tool.name).map((effect) => beforeCall(effect, tool.name)),
      does,
    }))
    undeclared ||= declared === null
    if (declared === null ? caller.setting.undeclared === "anything" : declared.mayChangeArguments)
      changesArguments = true
    if (declared === null || declared.mayAnswer)
      for (const run of runs)
        steps.push(
          ...finish(
            caller,
            { ...call, result: "value" },
            slot,
            endingAs(run.effects, { ends: "answers" }),
            1,
            `The callback "${service}" answers in place of ${tool.name}.`,
          ),
        )
    for (const run of runs)
      steps.push(
        callStep(
          caller,
          { ...call, stage: "done", result: "error" },
          endingAs(run.effects, { ends: "throws" }),
          1,
          `The callback "${service}" throws.`,
          { failed: true },
        ),
      )
  }
  if (undeclared && caller.setting.undeclared === "helpful") return steps
  for (const run of runs) {
    steps.push(...make(caller, call, slot, run.does, 1, run.effects))
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
        ...make(
          caller,
          { ...call, approved: false },
          slot,
          `A callback changes the arguments of ${tool.name}.`,
          1,
          [...endingAs(run.effects, { changesArguments: true }), ...change],
        ),
      )
    }
  }
  return steps
}

const beforeCall = (effect: RunEffect, tool: string): RunEffect =>
  effect.type === "function" ? { type: "function", use: { ...effect.use, before: tool } } : effect
