import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartState, StateMeta } from "../../machines/contract/chart-machine.js"
import type { ChartGraph, ChartGraphNode } from "../../machines/contract/chart-graph.js"
import type { ChartTaskGraph } from "../../machines/contract/graphs/chart-task-graph.js"
import type { RunEvent, RunResult } from "../../machines/contract/run-event.js"
import type { AgentProgress } from "../../serving/display/agent-progress.js"
import { BranchCounter, describeBranches } from "../../serving/display/branch-progress.js"
import { applyEvent, applyResult, newProgress } from "../../serving/display/agent-progress.js"

/**
 * A row in the displayed tree of agents, which shows the progress of one agent. Repeated turns of
 * an agent (in the iterations of a loop or the branches of a `forEach`) share one row.
 */
export interface AgentRow {
  readonly agent: string
  readonly path: string
  /**
   * Container type in the display, for example `parallel`. Empty for agents that are not
   * containers.
   */
  readonly container: string
  readonly children: AgentRow[]
  readonly progress: AgentProgress
  /**
   * Paths of the agent's turns that have started but not finished. Branches of a `forEach` can have
   * several open turns at the same time.
   */
  readonly openTurns: Set<string>
}

/** Matches the iteration and cycle markers in an agent path, such as `[2]`, `[*]` and `@2`. */
const roundMarkers = /\[[*\d]+\]|@\d+(?=\/|$)/g

/**
 * Tree of the agents in a chart, with the progress of each agent. Agents that the chart does not
 * contain are added when they start.
 */
export class AgentTree {
  readonly roots: AgentRow[] = []
  readonly warnings: string[] = []
  readonly #rows = new Map<string, AgentRow>()
  readonly #branches = new BranchCounter()

  constructor(chart: AgentChart) {
    const root = chart.machines[chart.root]
    for (const state of Object.values(root?.states ?? {})) this.#addState(state)
  }

  update(event: RunEvent): void {
    if (event.type === "warning" || event.type === "condition.failed")
      this.warnings.push(`${event.agent}: ${event.message}`)
    if (event.type === "run.started") this.#startGraph(event.at)
    if (event.type === "run.finished") this.#finish(event.result, event.at)
    else if (event.path !== "") this.#updateRow(event)
    const block = this.#branches.apply(event)
    if (block !== null && block.kind !== "iteration")
      this.#row(block.path, block.agent).progress.activity = describeBranches(block)
  }

  /**
   * Marks the row of a task graph as active when the run starts, because a task graph emits no
   * start event.
   */
  #startGraph(time: number): void {
    const [graph] = this.roots
    if (graph?.container === taskGraphType)
      Object.assign(graph.progress, { status: "working", startedAt: time })
  }

  /**
   * Updates the row of an agent after a run event. If branches of a `forEach` share the row, it
   * stays active until the last branch ends.
   */
  #updateRow(event: RunEvent): void {
    const { progress, openTurns } = this.#row(event.path, event.agent)
    const isStart = event.type === "agent.started" || event.type === "node.started"
    const isEnd = event.type === "agent.finished" || event.type === "node.finished"
    if (isStart) openTurns.add(event.path)
    if (isEnd) openTurns.delete(event.path)
    const { startedAt } = progress
    applyEvent(progress, event)
    if (openTurns.size <= (isStart ? 1 : 0)) return
    if (isStart && startedAt !== null) progress.startedAt = startedAt
    if (isEnd || event.type === "agent.skipped")
      Object.assign(progress, { status: "working", activity: "", finishedAt: null })
  }

  #finish(result: RunResult, time: number): void {
    for (const { agent, progress } of this.#rows.values()) {
      applyResult(progress, result, time)
      if (progress.status === "failed" && agent === result.error?.agent)
        progress.activity = result.error.message
    }
  }

  #addState({ meta, invoke, states = {} }: ChartState): void {
    if (meta !== undefined) {
      this.#row(meta.path, meta.agent, containerType(meta))
      if (invoke?.src === "fan")
        for (const { agent, segment } of branchesOf(invoke.input["branches"]))
          this.#row(`${meta.path}/${segment}`, agent)
      if (invoke?.src === "workflowGraph")
        this.#addGraph(meta.path, invoke.input["graph"] as ChartGraph)
      if (invoke?.src === "taskGraph")
        this.#addTasks(meta.path, invoke.input["graph"] as ChartTaskGraph)
      if (invoke?.src === "nodeRun") {
        // The emitter writes the input of `nodeRun` in this shape.
        const { graph } = invoke.input["node"] as ChartGraphNode
        if (graph !== undefined) this.#addGraph(meta.path, graph)
      }
    }
    for (const inner of Object.values(states)) this.#addState(inner)
  }

  #addGraph(path: string, { nodes }: ChartGraph): void {
    for (const { id, graph } of nodes) {
      this.#row(`${path}/${id}`, id)
      if (graph !== undefined) this.#addGraph(`${path}/${id}`, graph)
    }
  }

  /** Adds rows for the nodes of a task graph. The nodes in a loop become children of the loop. */
  #addTasks(path: string, { nodes }: ChartTaskGraph): void {
    for (const { id, loop } of nodes) {
      this.#row(`${path}/${id}`, id, loop === undefined ? "" : "loop")
      if (loop !== undefined) this.#addTasks(`${path}/${id}`, loop.body)
    }
  }

  /** Returns the row of an agent path. Creates the row if it does not exist. */
  #row(agentPath: string, agent: string, container = ""): AgentRow {
    const path = agentPath.replace(roundMarkers, "")
    const known = this.#rows.get(path)
    if (known !== undefined) return known
    const row: AgentRow = {
      agent,
      path,
      container,
      children: [],
      progress: newProgress(),
      openTurns: new Set(),
    }
    this.#rows.set(path, row)
    const siblings = this.#parentOf(path)?.children ?? this.roots
    siblings.push(row)
    return row
  }

  /**
   * Returns the row of the nearest ancestor of a path. Some path segments, for example tool calls,
   * are not agents and have no row. Returns null if no ancestor has a row.
   */
  #parentOf(path: string): AgentRow | null {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const row = this.#rows.get(path.slice(0, end))
      if (row !== undefined) return row
    }
    return null
  }
}

/** Returns the branches in the input of a parallel state, or an empty array if it contains none. */
const branchesOf = (
  branches: unknown,
): readonly { readonly agent: string; readonly segment: string }[] =>
  Array.isArray(branches) ? branches : []

function containerType({ kind, team }: StateMeta): string {
  if (team === true) return "handoff team"
  return containerTypes[kind] ?? ""
}

const taskGraphType = "graph of nodes"

const containerTypes: Readonly<Record<string, string>> = {
  SequentialAgent: "sequence",
  ParallelAgent: "parallel",
  LoopAgent: "loop",
  Workflow: "graph",
  TaskGraph: taskGraphType,
}
