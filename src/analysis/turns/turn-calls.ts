import type { Behavior } from "../behavior/behavior.js"
import { acted } from "../behavior/behavior.js"
import { answer, callbacksBefore, judge } from "./call-checks.js"
import { finish } from "./call-end.js"
import { callbacksAfter, results } from "./call-results.js"
import { confirmed, targetSteps } from "./call-start.js"
import type { ToolCaller, CallRules, CallState } from "./call-step.js"
import { callStep } from "./call-step.js"
import type { RunPlace, Setting } from "../behavior/setting.js"
import type { TurnTool } from "./turn-tools.js"

/** Returns the rules by which the calls of an agent's turns are made. */
export function callRules(
  agent: string,
  tools: readonly TurnTool[],
  place: RunPlace,
  setting: Setting,
): CallRules {
  const targets = new Map<string, Behavior>()
  const placeOf = (tool: TurnTool, slot: number): RunPlace => {
    const id = `${place.id}#${slot}.${tool.name}`
    return { id, within: [...place.within, { id, agent: null, tool: tool.name }], isHidden: true }
  }
  const targetOf = (tool: TurnTool, slot: number): Behavior => {
    const key = `${slot} ${tool.name}`
    let target = targets.get(key)
    if (target === undefined) {
      target = setting.machine(tool.machine ?? "", placeOf(tool, slot))
      targets.set(key, target)
    }
    return target
  }
  const about = (tool: TurnTool, slot: number) => ({
    name: tool.name,
    agent,
    within: place.within,
    activity: { id: placeOf(tool, slot).id, agent: null, tool: tool.name },
  })
  const caller: ToolCaller = { agent, tools, place, setting, targetOf, about }

  return {
    tools,
    waits: (call, slot) => {
      const tool = tools[call.tool] as TurnTool
      if (call.stage === "confirming" || call.stage === "pending" || call.stage === "done")
        return true
      return call.inner !== null && targetOf(tool, slot).waits(call.inner)
    },
    begin(index, slot, approved) {
      const tool = tools[index] as TurnTool
      const call: CallState = { tool: index, stage: "judged", approved, inner: null, result: null }
      if (tool.type === "ExitLoopTool")
        return [
          callStep(
            caller,
            { ...call, stage: "done", result: "value" },
            [],
            0,
            "The model calls exit_loop.",
            {
              escalates: true,
            },
          ),
        ]
      const judged =
        tool.decisions.length !== 1 ||
        tool.decisions[0] !== "ALLOW" ||
        tool.undeclaredEngines.length > 0
      return judged
        ? [callStep(caller, call, [], 0, null)]
        : confirmed(caller, call, slot, [], 0, null)
    },
    steps(call, slot) {
      const tool = tools[call.tool] as TurnTool
      switch (call.stage) {
        case "judged":
          return judge(caller, call, tool, slot)
        case "confirming":
          return answer(caller, call, tool, slot)
        case "before":
          return callbacksBefore(caller, call, tool, slot)
        case "later":
          return callbacksAfter(caller, call, tool, slot)
        case "atWork":
          return call.inner === null
            ? results(caller, call, tool, slot)
            : targetOf(tool, slot)
                .moves(call.inner)
                .flatMap((move) =>
                  targetSteps(caller, call, slot, [move], move.records, move.does).map((one) => ({
                    ...one,
                    agent: move.agent ?? one.agent,
                  })),
                )
        case "pending":
          return [
            ...finish(
              caller,
              { ...call, result: "value" },
              slot,
              [acted({ by: "person", agent, tool: tool.name, does: "deliver" })],
              1,
              `The result of ${tool.name} is delivered.`,
            ),
            ...finish(
              caller,
              { ...call, result: "error" },
              slot,
              [acted({ by: "clock", agent, ends: "request" })],
              1,
              `The request of ${tool.name} expires.`,
            ),
          ]
        case "done":
          return []
      }
    },
  }
}
