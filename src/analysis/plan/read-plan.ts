import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type {
  AgentKind,
  ChartMachine,
  ChartState,
  ForEach,
  StateMeta,
} from "../../machines/contract/chart-machine.js"
import type { ChartGraph, ChartGraphNode } from "../../machines/contract/chart-graph.js"
import { exitConditionOf, maximumOf } from "./loop-limits.js"
import { planOfGraph } from "./plan-of-graph.js"
import { planOfMachineAgent } from "./plan-of-machine-agent.js"
import { plainGroup, repeatedPlan } from "./repeated-plan.js"
import type {
  PlannedAgent,
  GroupPlan,
  LeafPlan,
  Plan,
  PlanChild,
  TeamMember,
  TeamPlan,
} from "./plan.js"
import { counterOf } from "../graph/uncounted-cycles.js"
import type { StateGraph, StateNode } from "../graph/state-graph.js"

/** The results of the graph analysis of a machine. `readPlan` creates its plan from them. */
export interface PlannedMachine {
  readonly graph: StateGraph
  readonly reached: ReadonlySet<string>
  /** Paths of the states that can run any number of times, because no counter limits them. */
  readonly endless: ReadonlySet<string>
}

/**
 * Returns the plan of a machine, which lists its agents and how often they can run. The plan of the
 * root agent is repeated for each cycle, which is one pass of the root agent. Returns null if the
 * machine runs no agent.
 */
export function readPlan(
  machine: ChartMachine,
  facts: PlannedMachine,
  chart: AgentChart,
): PlanChild | null {
  const reading: Reading = { machine, facts, chart }
  const root = placedChildren(
    [...facts.graph.states.values()].filter(({ parent }) => parent === null),
    reading,
  )[0]
  if (root === undefined) return null
  const cycles = cyclesOf(facts.graph)
  const isIdle = Object.values(machine.states).some(
    ({ tags }) => tags?.includes("resting") === true,
  )
  if (root.plan.type === "team")
    return {
      ...root,
      plan: {
        ...root.plan,
        cycles,
        starts: isIdle ? startsOfInvocations(root.plan) : root.plan.starts,
      },
    }
  if (cycles === 1) return root
  const { agent, kind, path } = root.plan
  return {
    ...root,
    plan: {
      type: "group",
      agent,
      kind,
      path,
      order: "in order",
      times: cycles,
      timesBy: "maxOrchestrationCycles",
      children: [{ ...root, when: null }],
      exitCondition: null,
      outputKey: null,
    },
  }
}

/**
 * Returns the indexes of the team members that may be active first in an invocation. The first
 * invocation starts with the parent agent. Later invocations start with the member that was active
 * last.
 */
const startsOfInvocations = ({ starts, members }: TeamPlan): readonly number[] => [
  ...new Set([
    ...starts,
    ...members.flatMap(({ resumesAt }, index) => (resumesAt === index ? [index] : [])),
  ]),
]

interface Reading {
  readonly machine: ChartMachine
  readonly facts: PlannedMachine
  readonly chart: AgentChart
}

function cyclesOf({ edges }: StateGraph): number {
  const back = (edges.get("cycling") ?? [])
    .map(counterOf)
    .find((counted) => counted?.kind === "cycles")
  return back?.most ?? 1
}

/** Returns the plans of the agents that the states in `nodes` run, with `when` conditions. */
function placedChildren(nodes: readonly StateNode[], reading: Reading): readonly PlanChild[] {
  const conditions = new Map(
    nodes.flatMap(({ state }) =>
      (state.entry ?? []).flatMap(({ type, params }) =>
        type === "checkWhen"
          ? [[String(params?.["place"]), String(params?.["condition"])] as const]
          : [],
      ),
    ),
  )
  const { reached, endless } = reading.facts
  return nodes.flatMap((node): readonly PlanChild[] => {
    const plan = planOf(node, reading)
    if (plan === null) return []
    const times = !reached.has(node.path)
      ? 0
      : endless.has(node.path)
        ? Number.POSITIVE_INFINITY
        : 1
    return [{ plan, when: conditions.get(node.path) ?? null, times }]
  })
}

/** Returns the plan of a state's agent (how often it can run), or null if it has no agent. */
function planOf(node: StateNode, reading: Reading): Plan | null {
  const { state, children } = node
  const { meta } = state
  if (meta === undefined) return null
  const planned = { agent: meta.agent, kind: meta.kind, path: meta.path }
  if (state.invoke !== undefined)
    return planOfInvoked(state.invoke.src, state.invoke.input, planned, reading)
  if (meta.team === true) return planOfTeam(node, meta, reading)
  const inner =
    state.type === "parallel"
      ? children.flatMap((region) => placedChildren(region.children, reading))
      : placedChildren(children, reading)
  const isCustom = meta.kind === "CustomAgent" && meta.callbacks !== true
  const isLoop = meta.kind === "LoopAgent" && meta.callbacks !== true
  return {
    ...planned,
    ...plainGroup,
    type: "group",
    order: state.type === "parallel" ? "parallel" : isCustom ? "any" : "in order",
    // A host function decides how often it runs its agents.
    times: isCustom ? Number.POSITIVE_INFINITY : isLoop ? maximumOf(node, reading.facts.graph) : 1,
    children: inner,
    exitCondition: isLoop ? exitConditionOf(children) : null,
    outputKey: meta.callbacks === true ? null : (meta.outputKey ?? null),
  }
}

const leaves: Readonly<Record<string, LeafPlan["type"]>> = {
  llmAgent: "turn",
  hookedLlmAgent: "turn",
  guardedLlmAgent: "turn",
  humanAgent: "human",
  waitAgent: "wait",
  workflowAgent: "call",
  hostCode: "code",
  toolNode: "code",
}

/** Returns the plan of the agent that the actor `src` runs, for example `llmAgent`. */
function planOfInvoked(
  src: string,
  input: Readonly<Record<string, unknown>>,
  planned: PlannedAgent,
  reading: Reading,
): Plan {
  const leaf = Object.hasOwn(leaves, src) ? leaves[src] : undefined
  if (leaf !== undefined) return { ...planned, type: leaf }
  if (src === "fan") {
    // The machine `fan` expects its input in this shape.
    const branches = (input["branches"] ?? []) as readonly {
      readonly agent: string
      readonly src: string
      readonly segment: string
    }[]
    const forEach = input["forEach"] as ForEach | undefined
    const children = branches.map((branch): PlanChild => {
      const plannedBranch = {
        agent: branch.agent,
        kind: kindOf(branch.agent, reading.chart),
        path: `${planned.path}${forEach === undefined ? "" : "[*]"}/${branch.segment}`,
      }
      return {
        plan: planOfInvoked(branch.src, {}, plannedBranch, reading),
        when: null,
        times: forEach?.maxItems ?? 1,
      }
    })
    return {
      ...planned,
      ...plainGroup,
      type: "group",
      order: "parallel",
      children,
      ...(forEach !== undefined && { forEach, timesBy: "maxItems" }),
    }
  }
  // The machines expect their inputs in these shapes.
  if (src === "nodeRun") return planOfNode(input["node"] as ChartGraphNode, planned, reading)
  if (src === "workflowGraph" || src === "triggeredGraph")
    return planOfGraph(input["graph"] as ChartGraph, planned, (node, plannedNode) =>
      planOfNode(node, plannedNode, reading),
    )
  if (src === "machineAgent")
    return planOfMachineAgent(input["spec"], planned, (agent, actor) =>
      planOfInvoked(actor, {}, { ...agent, kind: kindOf(agent.agent, reading.chart) }, reading),
    )
  return { ...planned, type: "machine", machine: src }
}

/**
 * Returns the plan of a graph node, which describes how often its agent can run. A node with
 * retries or a list of items can run repeatedly.
 */
function planOfNode(node: ChartGraphNode, planned: PlannedAgent, reading: Reading): Plan {
  const { worker, options = {} } = node
  if (worker !== undefined) {
    const inner = planOfNode(worker, { ...planned, path: `${planned.path}/${worker.id}` }, reading)
    return repeatedPlan(inner, planned, Infinity)
  }
  const graph = node.graph === undefined ? {} : { graph: node.graph }
  const once = planOfInvoked(node.src ?? "hostCode", graph, planned, reading)
  const attempts = options.retry?.maxAttempts ?? 1
  return attempts === 1 ? once : repeatedPlan(once, planned, attempts)
}

const kindOf = (agent: string, { agents }: AgentChart): AgentKind =>
  Object.hasOwn(agents, agent) ? (agents[agent]?.type ?? "LlmAgent") : "SequentialAgent"

function planOfTeam(
  { state, children }: StateNode,
  meta: StateMeta,
  reading: Reading,
): TeamPlan | GroupPlan {
  const members = placedMembers(children, reading)
  const keys = new Map(members.map(({ node }, index) => [node.path, index]))
  const edges = (path: string) => reading.facts.graph.edges.get(path) ?? []
  const resuming = children.find(
    (child) => child.state.meta === undefined && child.state.type !== "final",
  )
  const firstPath =
    resuming === undefined
      ? `${meta.place}.${state.initial ?? ""}`
      : (edges(resuming.path).at(-1)?.to ?? "")
  const first = keys.get(firstPath) ?? 0
  const keepers = new Set(
    resuming === undefined ? [] : edges(resuming.path).map(({ to }) => keys.get(to)),
  )
  const handoffs = members.map(({ node }) =>
    edges(node.path).filter(({ transition }) => transition.guard?.type === "handsOffTo"),
  )
  const counted = handoffs.flat().map(counterOf)
  return {
    agent: meta.agent,
    kind: meta.kind,
    path: meta.path,
    type: "team",
    maxHandoffs: counted.reduce(
      (most, one) => Math.max(most, one?.most ?? Number.POSITIVE_INFINITY),
      0,
    ),
    cycles: 1,
    starts: [first],
    members: members.map(({ child, node }, index): TeamMember => {
      const targets = (handoffs[index] ?? []).flatMap(({ to }) => keys.get(to) ?? [])
      const returnsToParent = goesBackToParent(node.state)
      return {
        ...child,
        targets: [...new Set(targets)],
        resumesAt: !returnsToParent && keepers.has(index) ? index : first,
      }
    }),
  }
}

/** Returns whether the parent agent becomes active again after the turn of a team member. */
const goesBackToParent = ({ invoke }: ChartState): boolean =>
  (invoke?.onDone ?? []).some(
    ({ guard, actions }) =>
      guard?.type === "completed" &&
      actions?.some(({ type }) => type === "returnToParent") === true,
  )

function placedMembers(
  nodes: readonly StateNode[],
  reading: Reading,
): readonly { readonly node: StateNode; readonly child: PlanChild }[] {
  return nodes.flatMap((node) => placedChildren([node], reading).map((child) => ({ node, child })))
}
