import type { Behavior } from "../behavior/behavior.js"
import { responseEffect } from "../behavior/behavior.js"
import { approvalSteps, beforeCallbackSteps, policyDecisionSteps } from "./call-checks.js"
import { endSteps } from "./call-end.js"
import { afterCallbackSteps, resultSteps } from "./call-results.js"
import { afterTarget, confirmationSteps } from "./call-start.js"
import type {
  CallProgress,
  CallRules,
  CallState,
  ToolCallContext,
  ToolCaller,
} from "./call-step.js"
import { afterRecord, callStep } from "./call-step.js"
import type { NestedLocation, Setting } from "../behavior/setting.js"
import type { TurnTool } from "./turn-tools.js"

/**
 * Returns the functions with which the model checker explores the start, the steps and the end of
 * an agent's tool calls.
 */
export function callRules(
  agent: string,
  tools: readonly TurnTool[],
  location: NestedLocation,
  setting: Setting,
): CallRules {
  const targets = new Map<string, Behavior>()
  const locationOf = (tool: TurnTool, slot: number): NestedLocation => {
    const id = `${location.id}#${slot}.${tool.name}`
    const within = [...location.within, { id, agent: null, tool: tool.name }]
    return { ...location, id, within, isHidden: true }
  }
  const targetOf = (tool: TurnTool, slot: number): Behavior => {
    const key = `${slot} ${tool.name}`
    let target = targets.get(key)
    if (target === undefined) {
      target = setting.target(tool.machine ?? "", locationOf(tool, slot))
      targets.set(key, target)
    }
    return target
  }
  const about = (tool: TurnTool, slot: number) => ({
    name: tool.name,
    agent,
    within: location.within,
    activity: { id: locationOf(tool, slot).id, agent: null, tool: tool.name },
  })
  const caller: ToolCaller = { agent, location, setting, targetOf, about }
  const contextOf = (call: CallState, slot: number): ToolCallContext => ({
    caller,
    // A call is created with the index of its tool.
    tool: tools[call.tool] as TurnTool,
    slot,
    call,
  })

  return {
    tools,
    waits: (call, slot) => {
      if (call.stage === "confirming" || call.stage === "pending" || call.stage === "done")
        return true
      return call.inner !== null && targetOf(contextOf(call, slot).tool, slot).waits(call.inner)
    },
    begin(index, slot, approved) {
      const call: CallState = {
        tool: index,
        stage: "judged",
        approved,
        made: false,
        inner: null,
        result: null,
      }
      const context = contextOf(call, slot)
      const { tool } = context
      const initial: CallProgress = { ...context, effects: [], records: 0, does: null }
      if (tool.type === "ExitLoopTool")
        return [
          callStep(
            { ...initial, does: "The model calls exit_loop." },
            { stage: "done", result: "value" },
            { escalates: true },
          ),
        ]
      const judged =
        tool.decisions.length !== 1 ||
        tool.decisions[0] !== "ALLOW" ||
        tool.undeclaredEngines.length > 0
      return judged ? [callStep(initial, {})] : confirmationSteps(initial)
    },
    steps(call, slot) {
      const context = contextOf(call, slot)
      const { tool } = context
      switch (call.stage) {
        case "judged":
          return policyDecisionSteps(context)
        case "confirming":
          return approvalSteps(context)
        case "before":
          return beforeCallbackSteps(context)
        case "later":
          return afterCallbackSteps(context)
        case "atWork":
          return call.inner === null
            ? resultSteps(context)
            : targetOf(tool, slot)
                .moves(call.inner)
                .flatMap((move) =>
                  afterTarget(
                    { ...context, effects: [], records: move.records, does: move.does },
                    move,
                  ).map((one) => ({ ...one, agent: move.agent ?? one.agent })),
                )
        case "pending":
          return [
            ...endSteps(
              afterRecord(
                context,
                { result: "value" },
                [responseEffect({ by: "person", agent, tool: tool.name, does: "deliver" })],
                `The result of ${tool.name} is delivered.`,
              ),
            ),
            ...endSteps(
              afterRecord(
                context,
                { result: "error" },
                [responseEffect({ by: "clock", agent, ends: "request" })],
                `The request of ${tool.name} expires.`,
              ),
            ),
          ]
        case "done":
          return []
      }
    },
  }
}
