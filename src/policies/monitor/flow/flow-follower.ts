import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { ForEach } from "../../../machines/contract/chart-machine.js"
import type { JudgedEvent } from "../judged-event.js"
import { toolSegment } from "../../../machines/model-call/llm-agent-context.js"
import type { Frame } from "../../occurrence.js"
import type { ChartNames } from "../chart-names.js"
import type { ReadOccurrences } from "../policy-watch.js"
import { isCallPath, PathFrames } from "../path-frames.js"
import type { DataScope } from "./data-scopes.js"
import { isFirstData, isSourceWrite } from "./first-data.js"
import { dataOfAgent } from "./agent-data.js"
import { branchScope, DataScopes, forkScope, joinScope, writeKey } from "./data-scopes.js"
import { GraphInputs } from "./graph-inputs.js"
import { type AgentBoundary, runningAgents } from "./running-agents.js"
import type { FlowSource, Reached, TurnData } from "./turn-data.js"
import { Turns } from "./turns.js"

type EventOf<Type extends JudgedEvent["type"]> = Extract<JudgedEvent, { type: Type }>

const nowhere: readonly Reached[] = []

/** Tracks the data from the sources of a `noFlow` policy in a run (docs/policies.md#data-flow). */
export class FlowFollower {
  /** Whether the run contains no tainted data (data from a source of the policy) so far. */
  #isClean: boolean
  readonly #frames: PathFrames
  readonly #scopes: DataScopes
  readonly #hasAgentTools: boolean
  /** Starts and ends of LlmAgents in blocks. They are used to open the scopes of branches later. */
  #inBlocks: AgentBoundary[] = []
  readonly #chart: AgentChart
  readonly #names: ChartNames
  readonly #source: FlowSource
  /** Kind of each running block (`ParallelAgent`) or graph (`Workflow`), by path. */
  readonly #kinds = new Map<string, string>()
  readonly #turns: Turns
  readonly #graphs = new Map<string, GraphInputs>()
  /** The last finished agent. `writes` returns whether its later write to a key is tainted. */
  #finished: { readonly path: string; readonly writes: (key: string) => boolean } | null = null

  constructor(chart: AgentChart, names: ChartNames, source: FlowSource) {
    this.#chart = chart
    this.#names = names
    this.#frames = new PathFrames(names)
    this.#source = source
    this.#turns = new Turns(source)
    const { endpoints } = source
    const keys = Object.keys(chart.input.state).filter((key) => endpoints.isSource("key", key))
    const named = endpoints.sourceKeys.filter((key) => !key.includes("*"))
    const isPrompt = endpoints.isSource("prompt", "user")
    this.#hasAgentTools = source.hasAgentTools
    this.#isClean = keys.length + named.length === 0 && !isPrompt && !endpoints.hasServers
    this.#scopes = new DataScopes(this.#frames, {
      id: "",
      branch: null,
      keys: new Set([...keys, ...named]),
      history: chart.dialect === "adk" && isPrompt,
      text: false,
      input: null,
    })
  }

  /** Whether the run contains data from a source, or an agent may have its own session state. */
  get isActive(): boolean {
    return !this.#isClean || this.#kinds.size > 0 || this.#hasAgentTools
  }

  framesOf(path: string): readonly Frame[] {
    return this.#frames.of(path)
  }

  /** Returns the locations that data from a source of the policy reaches with an event. */
  reachedBy(event: JudgedEvent): readonly Reached[] {
    if (event.type === "state.changed") return this.#keysReachedBy(event)
    if (this.#isClean) return nowhere
    switch (event.type) {
      case "run.started":
        return [...this.#scopes.scopeAt("").keys].map((key) => ["key", key] as const)
      case "model.called":
        return this.#turnOf(event)?.modelCall(event) ?? nowhere
      case "tool.called":
        return this.#turnAt(event.agent, event.path)?.toolCall(event.tool) ?? nowhere
      case "agent.started": {
        const tool =
          event.kind === "ToolNode" ? this.#names.ofStates.nodeTools.get(event.agent) : undefined
        return tool !== undefined && this.#inputOf(this.#scopeFor(event))
          ? [["arguments", tool] as const, ["request", tool] as const]
          : []
      }
      default:
        return nowhere
    }
  }

  // Separate from `reachedBy`, because closures there would cost memory for each event.
  #keysReachedBy(event: EventOf<"state.changed">): readonly Reached[] {
    const reached = Object.keys(event.set).filter((key) => this.#derives(event, key))
    return reached.map((key) => ["key", key] as const)
  }

  /** Processes an event. Updates which keys, messages and results contain data from a source. */
  follow(event: JudgedEvent, read: ReadOccurrences): void {
    if (this.#isClean) {
      const hasData = isFirstData(event, read, this.#source.endpoints, this.#names)
      this.#isClean = !hasData && this.reachedBy(event).length === 0
      if (this.#isClean && this.#staysOutside(event)) return
      if (!this.#isClean || event.type === "agent.started") this.#openBranches()
    }
    switch (event.type) {
      case "agent.started":
        return this.#start(event)
      case "agent.finished":
        return this.#finish(event)
      case "model.called":
        return this.#turnOf(event)?.followModelCall()
      case "tool.called":
        return this.#turnAt(event.agent, event.path)?.followToolCall(event.callId, event.tool)
      case "tool.finished":
        return this.#return(event, read)
      case "state.changed": {
        const scope = this.#scopes.scopeAt(event.path)
        for (const key of Object.keys(event.set))
          writeKey(scope, key, isSourceWrite(event, key, this.#source) || this.#derives(event, key))
        for (const key of event.removed) writeKey(scope, key, false)
        return
      }
      case "edge.followed":
        return this.#graphs.get(event.path)?.follow(event.from, event.to)
      case "parallel.joined":
        return this.#join(event)
      case "human.answered":
      case "user.said":
        return this.#addMessage(event)
      default:
    }
  }

  /**
   * Returns whether an event can be skipped, because no tainted data (data from a source of the
   * policy) has occurred. The scopes of branches are opened later, only when they are needed.
   */
  #staysOutside(event: JudgedEvent): boolean {
    switch (event.type) {
      case "agent.started":
      case "agent.finished": {
        if (event.kind !== "LlmAgent") return false
        if (this.#hasAgentTools || this.#graphs.size > 0) return this.#around(event.path) === null
        if (this.#kinds.size > 0) this.#inBlocks.push(event)
        return true
      }
      case "tool.finished":
        return !this.#hasAgentTools
      default:
        return event.type !== "edge.followed" && event.type !== "parallel.joined"
    }
  }

  /** Opens a data scope (a record of tainted data) for each running branch. It is still empty. */
  #openBranches(): void {
    for (const [path, branch] of runningAgents(this.#inBlocks)) {
      const around = this.#around(path)
      if (around !== null && this.#kinds.get(around) === "ParallelAgent")
        this.#scopes.open(around, forkScope(this.#scopes.scopeAt(path), path, branch))
    }
    this.#inBlocks = []
  }

  /**
   * Returns the turn of an LlmAgent. Creates a missing turn only if tainted data (data from a
   * source of the policy) has occurred. Otherwise, returns undefined for a missing turn.
   */
  #turnAt(agent: string, path: string): TurnData | undefined {
    if (this.#isClean) return this.#turns.turnAt(path)
    return this.#turns.open(agent, path, () => {
      const scope = this.#scopes.scopeAt(path)
      return { scope, sees: this.#inputOf(scope) || scope.history }
    })
  }

  /** Returns the turn of a model call. For a summarizer or guardrail, this is its agent's turn. */
  #turnOf({ agent, path }: EventOf<"model.called">): TurnData | undefined {
    const owner = this.#names.ownerOf(agent)
    return owner === undefined
      ? this.#turnAt(agent, path)
      : this.#turnAt(owner, path.slice(0, path.lastIndexOf("/")))
  }

  #start(event: EventOf<"agent.started">): void {
    const { agent, path, kind } = event
    const scope = this.#scopeFor(event)
    const around = this.#around(path)
    if (scope.id === path && around !== null) this.#scopes.open(around, scope)
    if (kind === "ParallelAgent" || kind === "Workflow") this.#kinds.set(path, kind)
    if (kind === "Workflow") this.#graphs.set(path, new GraphInputs(scope))
    this.#turnAt(agent, path)
  }

  /** Returns the data scope of a starting agent. It is new for branches, nodes and tool calls. */
  #scopeFor({ agent, path, branch }: EventOf<"agent.started">): DataScope {
    const around = this.#around(path)
    const outer = this.#scopes.scopeAt(path)
    if (around === null || outer.id === path) return outer
    const caller = this.#frames.of(path).at(-3)
    const turn = this.#turns.turnAt(caller?.id ?? "")
    if (isCallPath(around)) {
      const callId = around.slice(around.lastIndexOf("/tool:") + "/tool:".length)
      return forkScope(outer, path, branch, {
        history: false,
        input: turn?.wasSent(callId) ?? false,
      })
    }
    if (this.#kinds.get(around) === "Workflow")
      return this.#graphs.get(around)?.start(agent, path, branch) ?? outer
    return this.#kinds.get(around) === "ParallelAgent"
      ? branchScope(outer, path, branch, this.#forEachAt(around))
      : outer
  }

  #forEachAt(block: string): ForEach | undefined {
    return this.#names.ofStates.forEach.get(this.#frames.of(block).at(-1)?.agent ?? "")
  }

  /** Returns the path of the block, graph or tool call that directly encloses an agent, or null. */
  #around(path: string): string | null {
    const around = this.#frames.of(path).at(-2)?.id
    if (around === undefined) return null
    const kind = this.#kinds.get(around)
    return kind === "ParallelAgent" || kind === "Workflow" || isCallPath(around) ? around : null
  }

  /** Returns whether the input of the first agents in a scope contains data from a source. */
  #inputOf({ input }: DataScope): boolean {
    return input ?? this.#source.endpoints.isSource("prompt", "user")
  }

  #finish({ agent, path, kind, text }: EventOf<"agent.finished">): void {
    const scope = this.#scopes.scopeAt(path)
    const turn = this.#turnAt(agent, path)
    this.#turns.close(path)
    this.#kinds.delete(path)
    if (this.#kinds.size === 0) this.#inBlocks = []
    if (kind === "Workflow") this.#graphs.get(path)?.close()
    this.#graphs.delete(path)
    if (kind === "Workflow" || kind === "ParallelAgent") this.#scopes.close(path)
    const writes =
      turn === undefined
        ? dataOfAgent(agent, kind, scope, this.#inputOf(scope), this.#names, this.#source)
        : { text: turn.text, key: (key: string) => turn.writes(key) }
    if (writes !== null) {
      this.#finished = { path, writes: (key) => writes.key(key) }
      if (text !== null) scope.text = writes.text
      if (this.#chart.dialect === "adk")
        scope.history ||= (text !== null && writes.text) || turn?.hasResult === true
    }
    // No event reports what the agents in a branch of a block write.
    const key = this.#names.outputKeyOf(agent)
    if (key !== undefined && text !== null) writeKey(scope, key, writes?.key(key) ?? scope.text)
    for (const written of turn?.written ?? []) writeKey(scope, written, true)
    const around = this.#around(path)
    if (around !== null && this.#kinds.get(around) === "Workflow")
      this.#graphs.get(around)?.finish(agent, scope)
  }

  #return({ agent, path, callId, tool }: EventOf<"tool.finished">, read: ReadOccurrences): void {
    const turn = this.#turnAt(agent, path)
    const call = `${path}/${toolSegment(callId)}`
    // If the turn repeats a call id, the call's path contains an additional number.
    const targets = turn?.isRepeated(callId)
      ? this.#scopes.closeAll(call)
      : this.#scopes.close(call)
    if (turn !== undefined && read().length > 0) turn.followResult(callId, tool, targets)
  }

  #join({ agent, path, dropped }: EventOf<"parallel.joined">): void {
    const scope = this.#scopes.scopeAt(path)
    const { collect = {} } = this.#names.ofStates.forEach.get(agent) ?? {}
    for (const branch of this.#scopes.close(path))
      if (branch.branch === null || !dropped.includes(branch.branch))
        joinScope(scope, branch, collect)
  }

  #addMessage({ agent, path, id }: EventOf<"human.answered" | "user.said">): void {
    const { endpoints } = this.#source
    const isAnswer = id !== "" && endpoints.isSource("answer", agent)
    if (!isAnswer && !endpoints.isSource("prompt", "user")) return
    const turn = this.#turnAt(agent, path)
    if (turn !== undefined) turn.sees = true
    if (this.#chart.dialect === "adk") this.#scopes.scopeAt(path).history = true
  }

  /** Returns whether the value that an event writes to a key contains data from a source. */
  #derives({ agent, path }: EventOf<"state.changed">, key: string): boolean {
    const { keys, text } = this.#scopes.scopeAt(path)
    const turn = this.#turns.turnAt(path)
    if (turn !== undefined) return turn.writes(key)
    if (this.#finished?.path === path) return this.#finished.writes(key)
    if (this.#names.ofStates.containerKeys.get(agent) === key) return text
    return keys.has(key)
  }
}
