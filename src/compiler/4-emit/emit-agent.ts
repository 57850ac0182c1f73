import type { ChartState, NamedAction } from "../../machines/contract/chart-machine.js"
import type { LoopExitReason } from "../../machines/contract/run-event.js"
import type { AgentNode, LoopAgentNode, SequentialAgentNode } from "../2-resolve/agent-node.js"
import { emitWithCallbacks } from "./emit-callbacks.js"
import { emitCustom } from "./emit-custom.js"
import { emitGraph } from "./emit-graph.js"
import { emitLeaf } from "./emit-leaf.js"
import { emitMachineAgent } from "./emit-machine-agent.js"
import { emitParallel } from "./emit-parallel.js"
import { emitTeam } from "./emit-team.js"
import { endTransitions, failureOf, transition } from "./outcomes.js"
import { emitPositions } from "./positions.js"
import type { Next, Site } from "./site.js"
import { finalTarget, metaOf, targetOf } from "./site.js"

/**
 * Emits the chart state of an agent of any type, for one of the positions at which the agent runs.
 */
export function emitAgent(agent: AgentNode, site: Site, next: Next): ChartState {
  const hooks = "hooks" in agent ? agent.hooks : null
  if (hooks === null) return emitBare(agent, site, next)
  return emitWithCallbacks(agent, hooks, site, next, (inner, after) =>
    emitBare(agent, inner, after),
  )
}

function emitBare(agent: AgentNode, site: Site, next: Next): ChartState {
  switch (agent.type) {
    case "LlmAgent":
      return agent.subAgents.length > 0 ? emitTeam(agent, site, next) : emitLeaf(agent, site, next)
    case "HumanAgent":
    case "WorkflowAgent":
    case "WaitAgent":
      return emitLeaf(agent, site, next)
    case "SequentialAgent":
      return emitSequence(agent, site, next)
    case "ParallelAgent":
      return emitParallel(agent, site, next)
    case "MachineAgent":
      return emitMachineAgent(agent, site, next)
    case "CustomAgent":
      return emitCustom(agent, site, next)
    case "LoopAgent":
      return emitLoop(agent, site, next)
    case "Workflow":
      return emitGraph(agent, site, next)
    case "FunctionNode":
    case "RouterNode":
    case "ToolNode":
    case "JoinNode":
      throw new TypeError(`the node "${agent.id}" is outside a graph`)
  }
}

const action = (type: string, place: string): NamedAction => ({ type, params: { place } })

/**
 * Emits a sequence (docs/semantics.md#sequences): ordered states with a checkpoint between them
 * (docs/semantics.md#durability).
 */
function emitSequence(agent: SequentialAgentNode, site: Site, next: Next): ChartState {
  const { draft, place } = site
  const checkpoint = (completed: number): readonly NamedAction[] => [
    { type: "checkpoint", params: { place, completed } },
  ]
  const last = { target: finalTarget(draft, place, "done"), actions: [] }
  const { initial, states } = emitPositions(site, agent.subAgents, agent.id, checkpoint, last)
  return {
    meta: metaOf(site, agent),
    tags: ["sequence"],
    entry: [action("enterAgent", place)],
    initial,
    states: { ...states, done: { type: "final" } },
    onDone: endTransitions(site, next, [action("finishAgent", place)]),
  }
}

/**
 * Emits a loop: its body, and a state after each iteration that checks the exit condition and the
 * maximum and then ends or repeats the loop.
 */
function emitLoop(agent: LoopAgentNode, site: Site, next: Next): ChartState {
  const { draft, place } = site
  const check = { target: targetOf(draft, `${place}.checking`), actions: [] }
  const inside: Site = {
    ...site,
    path: `${site.path}[*]`,
    loops: [...site.loops, place],
    counters: [...site.counters, place],
  }
  const { initial, states } = emitPositions(inside, agent.subAgents, agent.id, () => [], check)
  const done = finalTarget(draft, place, "done")
  const { exitCondition: condition, maxIterations: max } = agent
  const end = (reason: LoopExitReason): readonly NamedAction[] => [
    { type: "endLoop", params: { place, reason } },
  ]
  return {
    meta: metaOf(site, agent),
    tags: ["loop"],
    entry: [action("enterLoop", place)],
    initial,
    states: {
      ...states,
      checking: {
        tags: ["choice"],
        ...(condition !== null && {
          entry: [{ type: "checkExitCondition", params: { place, condition } }],
        }),
        always: [
          ...(condition === null
            ? []
            : [
                {
                  guard: { type: "exitConditionHolds", params: { place, condition } },
                  target: done,
                  actions: end("exit_condition"),
                },
                transition(
                  { type: "conditionFails", params: { place } },
                  failureOf({ ...site, place: `${place}.checking` }),
                ),
              ]),
          ...(max === null
            ? []
            : [
                {
                  guard: { type: "maximumReached", params: { place, max } },
                  target: done,
                  actions: end("max_agent_loop_iterations"),
                },
              ]),
          {
            target: targetOf(draft, `${place}.${initial}`),
            actions: [action("nextIteration", place)],
          },
        ],
      },
      done: { type: "final" },
    },
    onDone: endTransitions(site, next, [action("finishAgent", place)]),
  }
}
