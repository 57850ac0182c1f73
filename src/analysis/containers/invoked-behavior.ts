import type { ChartGraph } from "../../machines/contract/chart-graph.js"
import type { ChartState, FailurePolicy, ForEach } from "../../machines/contract/chart-machine.js"
import type { HookUse } from "../../machines/contract/hook-use.js"
import { serviceOfHook } from "../../machines/contract/hook-use.js"
import type { Behavior } from "../behavior/behavior.js"
import { graphBehavior } from "./graph-behavior.js"
import { callbacksBehavior, customBehavior, humanBehavior, waitBehavior } from "./leaf-behaviors.js"
import type { MachineAgentSpec } from "./machine-agent-behavior.js"
import { machineAgentBehavior } from "./machine-agent-behavior.js"
import { fanBehavior } from "./parallel-behavior.js"
import type { NestedLocation, Setting } from "../behavior/setting.js"
import { NotAnalyzed } from "../behavior/setting.js"
import { branchCopies } from "../behavior/branch-copies.js"
import { keysWrittenBelow } from "../behavior/written-keys.js"
import { turnBehavior } from "../turns/turn-behavior.js"

/**
 * The input of the actor `fan`, which runs the branches of a parallel block. The compiler creates
 * this input.
 */
interface FanInput {
  readonly branches: readonly {
    readonly agent: string
    readonly src: string
    readonly segment: string
  }[]
  readonly failurePolicy: FailurePolicy
  readonly maxConcurrency: number | null
  readonly subAgentExitFlow?: "agent"
  /** Number of branches that must succeed to complete the block. Default: all branches. */
  readonly quorum?: number
  readonly forEach?: ForEach
  readonly onEscalate?: "cancel"
}

/** Returns the transition system (all possible executions) of the actor that a state invokes. */
export function invokedBehavior(
  state: ChartState,
  location: NestedLocation,
  setting: Setting,
): Behavior {
  const { src = "", input = {} } = state.invoke ?? {}
  const agent =
    state.meta?.agent ?? location.within.findLast((frame) => frame.agent !== null)?.agent ?? ""
  switch (src) {
    case "hostCode":
      return customBehavior(
        agent,
        String(input["service"]),
        // The compiler writes the names of the sub-agents here.
        (input["agents"] ?? []) as readonly string[],
        location,
        setting,
      )
    case "hookList":
      return callbacksBehavior(
        agent,
        // The compiler writes the callbacks here.
        ((input["services"] ?? []) as readonly HookUse[]).map(serviceOfHook),
        location,
        setting,
      )
    case "fan": {
      // The machine `fan` expects its input in this shape.
      const fan = input as unknown as FanInput
      return fanBehavior(
        agent,
        copiesOf(fan, setting).map((branch, index) => ({
          agent: branch.agent,
          id: `${location.id}.${index}`,
          behavior: (location: NestedLocation) =>
            agentBehavior(branch.agent, branch.src, location, setting),
        })),
        fan,
        [...new Set([...keysWrittenBelow(state, setting), ...itemKeys(fan, setting)])],
        location,
        setting,
      )
    }
    case "workflowGraph":
      // The machine `workflowGraph` expects its input in this shape.
      return graphBehavior(agent, input["graph"] as ChartGraph, location, setting, agentBehavior)
    case "machineAgent":
      // The machine `machineAgent` expects its input in this shape.
      return machineAgentBehavior(
        agent,
        input["spec"] as MachineAgentSpec,
        location,
        setting,
        agentBehavior,
      )
    default:
      return agentBehavior(agent, src, location, setting)
  }
}

/**
 * Returns the branches of a parallel block that the model checker explores. A `forEach` block has
 * only one branch definition, so the result contains `branchCopies` copies of it.
 */
const copiesOf = (
  { branches, forEach, failurePolicy }: FanInput,
  { chart, branchesToDistinguish }: Setting,
): FanInput["branches"] =>
  forEach === undefined
    ? branches
    : Array.from(
        { length: branchCopies({ forEach, failurePolicy }, chart, branchesToDistinguish) },
        () => branches,
      ).flat()

/**
 * Returns the session state keys that a `forEach` block sets for its items and for collected
 * values. Only keys that the policy or a condition reads are included.
 */
const itemKeys = ({ forEach }: FanInput, { keys }: Setting): readonly string[] =>
  forEach === undefined
    ? []
    : [forEach.as, `${forEach.as}_index`, ...Object.keys(forEach.collect)].filter((key) =>
        keys.has(key),
      )

/**
 * Returns the transition system (all possible executions) of an agent. `src` is the name of the
 * machine that runs the agent.
 */
function agentBehavior(
  agent: string,
  src: string,
  location: NestedLocation,
  setting: Setting,
): Behavior {
  switch (src) {
    case "llmAgent":
    case "hookedLlmAgent":
    case "guardedLlmAgent":
      return turnBehavior(agent, framed(agent, location), setting)
    case "humanAgent":
      return humanBehavior(agent, framed(agent, location), setting)
    case "waitAgent":
      return waitBehavior(agent, framed(agent, location), setting)
    default:
      if (!Object.hasOwn(setting.chart.machines, src)) throw new NotAnalyzed(`"${agent}"`)
      return setting.machine(src, location)
  }
}

/** Adds `agent` to a location in the run as its innermost enclosing agent, unless it already is. */
const framed = (agent: string, location: NestedLocation): NestedLocation =>
  location.within.at(-1)?.agent === agent
    ? location
    : { ...location, within: [...location.within, { id: location.id, agent, tool: null }] }
