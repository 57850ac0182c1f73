import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartState, StateMeta } from "../../machines/contract/chart-machine.js"
import type { ChartGraph } from "../../machines/contract/graph-shape.js"
import type { Outcome, RunEvent, RunResult } from "../../machines/contract/run-event.js"
import { requestVerb } from "../format/format-request.js"

/** One agent of a run and its current activity. All iterations of a loop share one row. */
export interface AgentRow {
  readonly agent: string
  readonly path: string
  /** The container type, for example `parallel`. Empty for agents that are not containers. */
  readonly container: string
  readonly children: AgentRow[]
  status: "idle" | "working" | "retrying" | "waiting" | "skipped" | Outcome
  /** The current activity. */
  note: string
  text: string | null
  /** The end of the text that the model is streaming. Empty while nothing is streamed. */
  saying: string
  iteration: number | null
  startedAt: number | null
  endedAt: number | null
  readonly openTools: Map<string, string>
}

/** Iteration and cycle markers in an agent path. */
const rounds = /\[[*\d]+\]|@\d+(?=\/|$)/g

/**
 * The agents of a chart with their state, updated from run events. Agents that appear only at run
 * time are added.
 */
export class AgentTree {
  readonly roots: AgentRow[] = []
  readonly warnings: string[] = []
  readonly #rows = new Map<string, AgentRow>()

  constructor(chart: AgentChart) {
    const root = chart.machines[chart.root]
    for (const state of Object.values(root?.states ?? {})) this.#plant(state)
  }

  update(event: RunEvent): void {
    if (event.type === "warning") this.warnings.push(`${event.agent}: ${event.message}`)
    if (event.type === "condition.failed") this.warnings.push(`${event.agent}: ${event.message}`)
    if (event.type === "run.finished") this.#settle(event.result)
    else if (event.path !== "") apply(event, this.#row(event.path, event.agent))
  }

  /** Marks agents that were still active when the run ended with the outcome of the run. */
  #settle({ status, error }: RunResult): void {
    const ended = {
      completed: "done",
      failed: "failed",
      limit: "limited",
      cancelled: "stopped",
      running: "stopped",
      waiting: "stopped",
    } as const
    for (const row of this.#rows.values()) {
      if (row.status === "working" || row.status === "retrying" || row.status === "waiting")
        Object.assign(row, { status: ended[status], note: "", endedAt: Date.now() })
      if (row.status === "failed" && row.agent === error?.agent) row.note = error.message
    }
  }

  #plant({ meta, invoke, states = {} }: ChartState): void {
    if (meta !== undefined) {
      this.#row(meta.path, meta.agent, containerWords(meta))
      const branches = invoke?.src === "fan" ? invoke.input["branches"] : []
      for (const branch of Array.isArray(branches)
        ? (branches as readonly { readonly agent: string; readonly segment: string }[])
        : []) {
        this.#row(`${meta.path}/${branch.segment}`, branch.agent)
      }
      if (invoke?.src === "workflowGraph")
        this.#plantGraph(meta.path, invoke.input["graph"] as ChartGraph)
    }
    for (const inner of Object.values(states)) this.#plant(inner)
  }

  #plantGraph(path: string, { nodes }: ChartGraph): void {
    for (const { id, graph } of nodes) {
      this.#row(`${path}/${id}`, id)
      if (graph !== undefined) this.#plantGraph(`${path}/${id}`, graph)
    }
  }

  #row(place: string, agent: string, container = ""): AgentRow {
    const path = place.replace(rounds, "")
    const known = this.#rows.get(path)
    if (known !== undefined) return known
    const row: AgentRow = {
      agent,
      path,
      container,
      children: [],
      status: "idle",
      note: "",
      text: null,
      saying: "",
      iteration: null,
      startedAt: null,
      endedAt: null,
      openTools: new Map(),
    }
    this.#rows.set(path, row)
    const parent = this.#above(path)
    if (parent === null) this.roots.push(row)
    else parent.children.push(row)
    return row
  }

  /**
   * Returns the nearest row above a path. A path may have segments that are not agents, for example
   * tool calls.
   */
  #above(path: string): AgentRow | null {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const row = this.#rows.get(path.slice(0, end))
      if (row !== undefined) return row
    }
    return null
  }
}

function cycleOf(path: string): number | null {
  const cycle = /@(\d+)$/.exec(path)?.[1]
  return cycle === undefined ? null : Number(cycle)
}

function containerWords({ kind, team }: StateMeta): string {
  if (team === true) return "handoff team"
  return kind === "SequentialAgent"
    ? "sequence"
    : kind === "ParallelAgent"
      ? "parallel"
      : kind === "LoopAgent"
        ? "loop"
        : kind === "Workflow"
          ? "graph"
          : ""
}

/** Maximum number of characters kept of streamed text; more than one line can show. */
const mostSaid = 500

function apply(event: RunEvent, row: AgentRow): void {
  const at = (status: AgentRow["status"], note: string): void =>
    void Object.assign(row, { status, note })
  // Streamed words follow one another. Any other event ends them.
  row.saying = event.type === "model.delta" ? (row.saying + event.text).slice(-mostSaid) : ""
  switch (event.type) {
    case "agent.started":
      // A new turn: nested agents are reset by their own events.
      at("working", "")
      Object.assign(row, {
        startedAt: event.at,
        endedAt: null,
        text: null,
        iteration: cycleOf(event.path),
      })
      row.openTools.clear()
      return
    case "agent.finished":
      at(event.outcome, row.note.startsWith("hands off") ? row.note : "")
      Object.assign(row, { endedAt: event.at, text: event.text })
      return
    case "agent.skipped":
      return at("skipped", event.when)
    case "model.called":
      return at(
        "working",
        event.attempt === 1 ? "asks its model" : `asks its model, attempt ${event.attempt}`,
      )
    case "tool.called":
      row.openTools.set(event.callId, event.tool)
      return at("working", `calls ${[...row.openTools.values()].join(", ")}`)
    case "tool.finished":
      row.openTools.delete(event.callId)
      if (row.openTools.size > 0) row.note = `calls ${[...row.openTools.values()].join(", ")}`
      return
    case "retry.scheduled":
      return at("retrying", `attempt ${event.attempt} follows: ${event.error.message}`)
    case "human.asked":
    case "user.awaited":
      return at(
        "waiting",
        `${requestVerb(event.request)}${event.request.prompt === null ? "" : `: ${event.request.prompt}`}`,
      )
    case "human.answered":
    case "user.said":
      return at("working", "")
    case "handoff":
      row.note = `hands off to ${event.to}`
      return
    case "loop.iterated":
      row.iteration = event.iteration + 1
      return
    case "loop.ended":
      row.iteration = event.iterations
      return
    case "model.delta":
    case "model.responded":
    case "state.changed":
    case "parallel.joined":
    case "condition.failed":
    case "checkpoint":
    case "warning":
    case "run.started":
    case "run.finished":
      return
  }
}
