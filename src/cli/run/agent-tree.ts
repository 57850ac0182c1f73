import type { AgentChart, ChartState, PlaceMeta } from "../../machines/contract/agent-chart.js"
import type { ChartGraph } from "../../machines/contract/graph-shape.js"
import type { Outcome, RunEvent, RunResult } from "../../machines/contract/run-event.js"
import { requestVerb } from "./format-request.js"

/** One agent of a run as it stands. An agent in a loop is one row, whatever the iteration. */
export interface AgentRow {
  readonly agent: string
  readonly path: string
  /** `parallel` for example; nothing for agents that work themselves. */
  readonly container: string
  readonly children: AgentRow[]
  status: "idle" | "working" | "retrying" | "waiting" | "skipped" | Outcome
  /** What it is at. */
  note: string
  text: string | null
  /** The end of what its model is saying; empty while it says nothing. */
  saying: string
  iteration: number | null
  startedAt: number | null
  endedAt: number | null
  readonly openTools: Map<string, string>
}

/** What a path says of rounds: iterations of loops, cycles of the root. */
const rounds = /\[[*\d]+\]|@\d+(?=\/|$)/g

/** The agents of a chart, and what the events of a run tell of them. Agents that only the run knows of are added. */
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

  /** Whoever is still at work when the run has ended ended with it. */
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

  /** The nearest row around a path; a path may have segments that are no agents, as those of tool calls. */
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

function containerWords({ kind, team }: PlaceMeta): string {
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

/** More than fits into a line. */
const mostSaid = 500

function apply(event: RunEvent, row: AgentRow): void {
  const at = (status: AgentRow["status"], note: string): void =>
    void Object.assign(row, { status, note })
  // Words come one after the other; whatever else happens ends them.
  row.saying = event.type === "model.delta" ? (row.saying + event.text).slice(-mostSaid) : ""
  switch (event.type) {
    case "agent.started":
      // A new turn; what is inside starts anew with its own events.
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
