import type { ChartGraph } from "../../machines/contract/chart-graph.js"
import type { ChartState, FailurePolicy } from "../../machines/contract/chart-machine.js"
import type { HookUse } from "../../machines/contract/hook-use.js"
import { serviceOfHook } from "../../machines/contract/hook-use.js"
import type { Behavior } from "./behavior.js"
import { graphBehavior } from "./graph-behavior.js"
import { callbacksBehavior, customBehavior, humanBehavior } from "./leaf-behaviors.js"
import { fanBehavior } from "./parallel-behavior.js"
import type { RunPlace, Setting } from "./setting.js"
import { keysWrittenBelow } from "./written-keys.js"
import { turnBehavior } from "./turn-behavior.js"

/** The input of the machine `fan`, as the compiler writes it. */
interface FanInput {
  readonly branches: readonly {
    readonly agent: string
    readonly src: string
    readonly segment: string
  }[]
  readonly failurePolicy: FailurePolicy
  readonly maxConcurrency: number | null
  readonly subAgentExitFlow?: "agent"
}

/** Returns the behavior of the actor that a state invokes. */
export function invokedBehavior(state: ChartState, place: RunPlace, setting: Setting): Behavior {
  const { src = "", input = {} } = state.invoke ?? {}
  const agent =
    state.meta?.agent ?? place.within.findLast((frame) => frame.agent !== null)?.agent ?? ""
  switch (src) {
    case "hostCode":
      return customBehavior(
        agent,
        String(input["service"]),
        // The compiler writes the names of the sub-agents here.
        (input["agents"] ?? []) as readonly string[],
        place,
        setting,
      )
    case "hookList":
      return callbacksBehavior(
        agent,
        // The compiler writes the callbacks here.
        ((input["services"] ?? []) as readonly HookUse[]).map(serviceOfHook),
        place,
        setting,
      )
    case "fan": {
      // The machine `fan` expects its input in this shape.
      const fan = input as unknown as FanInput
      return fanBehavior(
        agent,
        fan.branches.map((branch, index) => ({
          agent: branch.agent,
          id: `${place.id}.${index}`,
          behavior: (at: RunPlace) => agentBehavior(branch.agent, branch.src, at, setting),
        })),
        fan,
        keysWrittenBelow(state, setting),
        place,
        setting,
      )
    }
    case "workflowGraph":
      // The machine `workflowGraph` expects its input in this shape.
      return graphBehavior(agent, input["graph"] as ChartGraph, place, setting, agentBehavior)
    default:
      return agentBehavior(agent, src, place, setting)
  }
}

/** Returns the behavior of an agent that a machine of this name runs. */
export function agentBehavior(
  agent: string,
  src: string,
  place: RunPlace,
  setting: Setting,
): Behavior {
  switch (src) {
    case "llmAgent":
    case "hookedLlmAgent":
      return turnBehavior(agent, framed(agent, place), setting)
    case "humanAgent":
      return humanBehavior(agent, framed(agent, place), setting)
    default:
      return setting.machine(src, place)
  }
}

/** A leaf needs the frame of its own agent as the innermost one. */
const framed = (agent: string, place: RunPlace): RunPlace =>
  place.within.at(-1)?.agent === agent
    ? place
    : { ...place, within: [...place.within, { id: place.id, agent, tool: null }] }
