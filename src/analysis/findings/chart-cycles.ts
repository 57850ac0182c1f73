import { isTurnMachine } from "../../machines/registry/turn-machines.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartFacts, MachineFacts } from "../plan/chart-facts.js"
import { agentAt } from "./find-in-states.js"
import type { Finding } from "./finding.js"
import type { Plan } from "../plan/plan.js"
import { cycleWithout } from "../graph/uncounted-cycles.js"
import type { StateNode } from "../graph/state-graph.js"
import { findCycles } from "../graph/find-cycles.js"

/**
 * A cycle in a chart, for example a loop or a handoff team, with the maximum number of rounds that
 * a run can make.
 */
export interface ChartCycle {
  readonly kind: "loop" | "handoffs" | "cycles" | "graph" | "code"
  readonly agent: string
  readonly path: string
  /**
   * Maximum number of rounds. null means that the chart contains no maximum. The meaning of a round
   * depends on `kind`: an iteration of a loop, a handoff within one cycle, a cycle of the root
   * agent, or a run of one graph node.
   */
  readonly most: number | null
  readonly boundedBy:
    | "maximum"
    | "maxHandoffs"
    | "maxOrchestrationCycles"
    | "maxIterations"
    | "maxModelCalls"
    | "host code"
    | null
}

/** Returns all cycles of a chart, such as loops and handoff teams, in chart order. */
export function findChartCycles(facts: ChartFacts): readonly ChartCycle[] {
  const cycles: ChartCycle[] = []
  const visit = (plan: Plan, known: MachineFacts): void => {
    const { agent, path } = plan
    if (plan.type === "team") {
      const goesRound =
        findCycles([...plan.members.keys()], (member) => plan.members[member]?.targets ?? [])
          .length > 0
      const most = Number.isFinite(plan.maxHandoffs) ? plan.maxHandoffs : null
      if (goesRound)
        cycles.push({
          kind: "handoffs",
          agent,
          path,
          most,
          boundedBy: most === null ? "maxModelCalls" : "maxHandoffs",
        })
      if (plan.cycles > 1)
        cycles.push({
          kind: "cycles",
          agent,
          path,
          most: plan.cycles,
          boundedBy: "maxOrchestrationCycles",
        })
      for (const member of plan.members) visit(member.plan, known)
    }
    if (plan.type !== "group") return
    const most = Number.isFinite(plan.times) ? plan.times : null
    if (plan.timesBy === "maxIterations")
      cycles.push({
        kind: "graph",
        agent,
        path,
        most: Math.max(...plan.children.map(({ times }) => times)),
        boundedBy: "maxIterations",
      })
    else if (plan.timesBy === "maxOrchestrationCycles")
      cycles.push({ kind: "cycles", agent, path, most, boundedBy: plan.timesBy })
    else if (plan.kind === "LoopAgent" && plan.order === "in order" && plan.times !== 1)
      cycles.push({
        kind: "loop",
        agent,
        path,
        most,
        boundedBy: most === null ? boundOfEndless(agent, known) : "maximum",
      })
    else if ((plan.kind === "CustomAgent" || plan.kind === "MachineAgent") && most === null)
      cycles.push({ kind: "code", agent, path, most, boundedBy: "host code" })
    for (const child of plan.children) visit(child.plan, known)
  }
  for (const known of facts.values()) if (known.plan !== null) visit(known.plan.plan, known)
  return cycles
}

/**
 * Returns whether a run that enters a state always calls a model. Returns false for a state that
 * contains several agents, because `when` conditions may skip all of them.
 */
const surelyCallsModel = ({ state: { invoke } }: StateNode): boolean =>
  invoke !== undefined && isTurnMachine(invoke.src)

/** Names of the actors that never call a model. */
const withoutModel: ReadonlySet<string> = new Set(["humanAgent", "waitAgent", "hookList"])

const mayCallModel = ({ state: { invoke } }: StateNode): boolean =>
  invoke !== undefined && !withoutModel.has(invoke.src)

/**
 * Used for loops that have no maximum number of iterations. Returns `maxModelCalls` if every
 * iteration calls a model, because this setting then ends the loop. Returns null if an iteration
 * without a model call is possible, because then nothing ends the loop.
 */
function boundOfEndless(agent: string, known: MachineFacts): "maxModelCalls" | null {
  const cycles = known.uncountedCycles.filter((cycle) =>
    cycle.some(
      ({ state, parent }) => state.meta?.agent === agent || parent?.state.meta?.agent === agent,
    ),
  )
  return cycles.every((cycle) => cycleWithout(cycle, known.graph, surelyCallsModel).length === 0)
    ? "maxModelCalls"
    : null
}

/** Returns a finding for each cycle that may repeat without end, because no counter limits it. */
export function findInCycles(chart: AgentChart, facts: ChartFacts): readonly Finding[] {
  return [...facts].flatMap(([machine, known]) =>
    known.uncountedCycles.flatMap((cycle) => findInCycle(machine, cycle, known, chart) ?? []),
  )
}

function findInCycle(
  machine: string,
  cycle: readonly StateNode[],
  known: MachineFacts,
  chart: AgentChart,
): Finding | null {
  const outermost = cycle.reduce((one, other) =>
    other.path.length < one.path.length ? other : one,
  )
  const agent = agentAt((outermost.parent ?? outermost).path, known)
  const about = { agent, state: `${machine}.${outermost.path}` }
  const withoutInvoke = cycleWithout(cycle, known.graph, ({ state }) => state.invoke !== undefined)
  if (withoutInvoke.length > 0) {
    const decides = withoutInvoke.some(({ state }) =>
      (state.entry ?? []).some(({ type }) => type === "checkWhen" || type === "checkExitCondition"),
    )
    return {
      ...about,
      code: "endless_ring",
      severity: decides ? "warning" : "error",
      message: decides
        ? `${JSON.stringify(agent)} has no maximum number of iterations. If the conditions skip all of its agents, it repeats without doing anything until a limit ends the run.`
        : `The states of ${JSON.stringify(agent)} form a cycle that runs no agent. A limit ends every run that enters it.`,
      fix: "Set a maximum number of iterations for the loop, or run at least one agent in every iteration.",
    }
  }
  // Only the host function decides how often it runs its agents, so there is nothing to report.
  if (cycle.some(({ state }) => state.invoke?.src === "hostCode")) return null
  if (cycleWithout(cycle, known.graph, mayCallModel).length > 0) {
    const message = `${JSON.stringify(agent)} has no maximum number of iterations and does not call a model in every iteration. Therefore no limit of the run ends this loop.`
    return {
      ...about,
      code: "unbounded_ring",
      severity: "warning",
      message,
      fix: "Set a maximum number of iterations for the loop.",
    }
  }
  if (cycle.some((node) => mayEndLoop(node, chart))) return null
  const message = `${JSON.stringify(agent)} has no maximum number of iterations and no exit condition, so it only ends when the run reaches maxModelCalls (${chart.settings.maxModelCalls}).`
  return {
    ...about,
    code: "unbounded_ring",
    severity: "warning",
    message,
    fix: "For a loop, set a maximum number of iterations or an exit condition. For a handoff team, set maxHandoffs.",
  }
}

/**
 * Returns whether a state can end the loop that contains it, by a condition, a tool or a host
 * function. Returns true for a state that invokes a group of agents, because one of them may end
 * the loop.
 */
function mayEndLoop({ state }: StateNode, { agents, tools }: AgentChart): boolean {
  if ((state.entry ?? []).some(({ type }) => type === "checkExitCondition")) return true
  const { meta, invoke } = state
  if (invoke !== undefined && !["llmAgent", "humanAgent", "waitAgent"].includes(invoke.src))
    return true
  if (meta === undefined || !Object.hasOwn(agents, meta.agent)) return false
  const definition = agents[meta.agent]
  if (definition?.type !== "LlmAgent") return false
  return definition.tools.some(
    (id) =>
      Object.hasOwn(tools, id) &&
      (tools[id]?.type === "ExitLoopTool" || tools[id]?.type === "FunctionTool"),
  )
}
