import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartFacts, MachineFacts } from "../plan/chart-facts.js"
import { agentAt } from "./find-in-states.js"
import type { Finding } from "./finding.js"
import type { Plan } from "../plan/plan.js"
import { cycleWithout } from "../graph/uncounted-cycles.js"
import type { StateNode } from "../graph/state-graph.js"
import { findCycles } from "../graph/find-cycles.js"

/** A cycle of a chart, and the limit on its rounds. */
export interface ChartCycle {
  readonly kind: "loop" | "handoffs" | "cycles" | "graph" | "code"
  readonly agent: string
  readonly path: string
  /**
   * Iterations, handoffs in one cycle, cycles of the root, runs of one node. null: no number in
   * the chart.
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

/** Returns all cycles of a chart, in chart order. */
export function findChartCycles(facts: ChartFacts): readonly ChartCycle[] {
  const rings: ChartCycle[] = []
  const visit = (plan: Plan, known: MachineFacts): void => {
    const { agent, path } = plan
    if (plan.type === "team") {
      const goesRound =
        findCycles([...plan.members.keys()], (member) => plan.members[member]?.targets ?? [])
          .length > 0
      const most = Number.isFinite(plan.maxHandoffs) ? plan.maxHandoffs : null
      if (goesRound)
        rings.push({
          kind: "handoffs",
          agent,
          path,
          most,
          boundedBy: most === null ? "maxModelCalls" : "maxHandoffs",
        })
      if (plan.cycles > 1)
        rings.push({
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
      rings.push({
        kind: "graph",
        agent,
        path,
        most: Math.max(...plan.children.map(({ times }) => times)),
        boundedBy: "maxIterations",
      })
    else if (plan.timesBy !== null)
      rings.push({ kind: "cycles", agent, path, most, boundedBy: plan.timesBy })
    else if (plan.kind === "LoopAgent" && plan.order === "in turn" && plan.times !== 1)
      rings.push({
        kind: "loop",
        agent,
        path,
        most,
        boundedBy: most === null ? boundOfEndless(agent, known) : "maximum",
      })
    else if (plan.kind === "CustomAgent" && most === null)
      rings.push({ kind: "code", agent, path, most, boundedBy: "host code" })
    for (const child of plan.children) visit(child.plan, known)
  }
  for (const known of facts.values()) if (known.plan !== null) visit(known.plan.plan, known)
  return rings
}

/** In every run of it; a machine of several agents may skip those that would. */
const surelyCallsModel = ({ state: { invoke } }: StateNode): boolean =>
  invoke?.src === "llmAgent" || invoke?.src === "hookedLlmAgent"

const mayCallModel = ({ state: { invoke } }: StateNode): boolean =>
  invoke !== undefined && invoke.src !== "humanAgent" && invoke.src !== "hookList"

/**
 * Whether every round of a loop without a maximum asks a model, so that the run's limit stops it.
 */
function boundOfEndless(agent: string, known: MachineFacts): "maxModelCalls" | null {
  const rings = known.uncountedCycles.filter((ring) =>
    ring.some(
      ({ state, parent }) => state.meta?.agent === agent || parent?.state.meta?.agent === agent,
    ),
  )
  return rings.every((ring) => cycleWithout(ring, known.graph, surelyCallsModel).length === 0)
    ? "maxModelCalls"
    : null
}

/** Returns findings for cycles that no counter and no other limit ends. */
export function findInCycles(chart: AgentChart, facts: ChartFacts): readonly Finding[] {
  return [...facts].flatMap(([machine, known]) =>
    known.uncountedCycles.flatMap((ring) => findInCycle(machine, ring, known, chart) ?? []),
  )
}

function findInCycle(
  machine: string,
  ring: readonly StateNode[],
  known: MachineFacts,
  chart: AgentChart,
): Finding | null {
  const outermost = ring.reduce((one, other) => (other.path.length < one.path.length ? other : one))
  const agent = agentAt((outermost.parent ?? outermost).path, known)
  const about = { agent, state: `${machine}.${outermost.path}` }
  const idle = cycleWithout(ring, known.graph, ({ state }) => state.invoke !== undefined)
  if (idle.length > 0) {
    const decides = idle.some(({ state }) =>
      (state.entry ?? []).some(({ type }) => type === "checkWhen" || type === "checkExitCondition"),
    )
    return {
      ...about,
      code: "endless_ring",
      severity: decides ? "warning" : "error",
      message: decides
        ? `${JSON.stringify(agent)} has no maximum, and when the conditions skip all that is in it, it goes round without running anything until the run is ended`
        : `the states of ${JSON.stringify(agent)} lead round without running anything: a run that comes there is ended`,
      fix: "Give the loop a maximum, or let something run in every round.",
    }
  }
  // How often host code runs its agents is its own affair.
  if (ring.some(({ state }) => state.invoke?.src === "hostCode")) return null
  if (cycleWithout(ring, known.graph, mayCallModel).length > 0) {
    const message = `${JSON.stringify(agent)} goes round without a number that bounds it, and without asking a model in every round: no limit of the run stops it`
    return {
      ...about,
      code: "unbounded_ring",
      severity: "warning",
      message,
      fix: "Give the loop a maximum.",
    }
  }
  if (ring.some((node) => mayEndLoop(node, chart))) return null
  const message = `nothing in the chart counts how often ${JSON.stringify(agent)} goes round: only maxModelCalls (${chart.settings.maxModelCalls}) ends it`
  return {
    ...about,
    code: "unbounded_ring",
    severity: "warning",
    message,
    fix: "Give the loop a maximum or a condition to end by, or the handoffs their limit.",
  }
}

/**
 * A condition, an agent that can end a loop by a tool or by host code, or a machine of several
 * agents that may hold one.
 */
function mayEndLoop({ state }: StateNode, { agents, tools }: AgentChart): boolean {
  if ((state.entry ?? []).some(({ type }) => type === "checkExitCondition")) return true
  const { meta, invoke } = state
  if (invoke !== undefined && invoke.src !== "llmAgent" && invoke.src !== "humanAgent") return true
  if (meta === undefined || !Object.hasOwn(agents, meta.agent)) return false
  const definition = agents[meta.agent]
  if (definition?.type !== "LlmAgent") return false
  return definition.tools.some(
    (id) =>
      Object.hasOwn(tools, id) &&
      (tools[id]?.type === "ExitLoopTool" || tools[id]?.type === "FunctionTool"),
  )
}
