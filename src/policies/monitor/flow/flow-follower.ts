import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { JudgedEvent } from "../judged-event.js"
import { toolSegment } from "../../../machines/model-call/llm-agent-context.js"
import { instructionKeys, servicesOf } from "../../agent-reads.js"
import type { Frame } from "../../occurrence.js"
import type { FlowPlaceKind } from "../../policy.js"
import type { ChartNames } from "../chart-names.js"
import type { ReadOccurrences } from "../policy-watch.js"
import { PathFrames } from "../path-frames.js"
import type { DataScope } from "./data-scopes.js"
import { changesScopes } from "./changes-scopes.js"
import { dataOfAgent } from "./agent-data.js"
import { DataScopes, forkScope, mergeScope } from "./data-scopes.js"
import { GraphInputs } from "./graph-inputs.js"
import type { AgentReads, FlowSource, TurnDefinition } from "./turn-data.js"
import { TurnData } from "./turn-data.js"

type EventOf<Type extends JudgedEvent["type"]> = Extract<JudgedEvent, { type: Type }>

const nowhere: readonly Reached[] = []

type Reached = readonly [kind: FlowPlaceKind, name: string]

const isCall = (path: string): boolean => path.slice(path.lastIndexOf("/") + 1).startsWith("tool:")

/** Follows the data of one run from place to place (docs/policies.md#data-flow). */
export class FlowFollower {
  /** Whether no data from a source has occurred yet. */
  #isClean: boolean
  readonly #frames = new PathFrames()
  readonly #scopes: DataScopes
  readonly #chart: AgentChart
  readonly #names: ChartNames
  readonly #source: FlowSource
  /** The agents that have started and not finished, by path. */
  readonly #kinds = new Map<string, string>()
  readonly #reads = new Map<string, AgentReads>()
  readonly #turns = new Map<string, TurnData>()
  readonly #graphs = new Map<string, GraphInputs>()
  /** The agent that has just finished. Its output key is written afterwards. */
  #finished: { readonly path: string; readonly writes: (key: string) => boolean } | null = null

  constructor(chart: AgentChart, names: ChartNames, source: FlowSource) {
    this.#chart = chart
    this.#names = names
    this.#source = source
    const { places } = source
    const keys = Object.keys(chart.input.state).filter((key) => places.isSource("key", key))
    const named = places.sourceKeys.filter((key) => !key.includes("*"))
    const isPrompt = places.isSource("prompt", "user")
    this.#isClean = keys.length + named.length === 0 && !isPrompt && !places.hasServers
    this.#scopes = new DataScopes(this.#frames, {
      id: "",
      branch: null,
      keys: new Set([...keys, ...named]),
      history: chart.dialect === "adk" && isPrompt,
      text: false,
      input: null,
    })
  }

  framesOf(path: string): readonly Frame[] {
    return this.#frames.of(path)
  }

  /** Returns the places that data from a source reaches with an event. Changes nothing. */
  reachedBy(event: JudgedEvent): readonly Reached[] {
    if (this.#isClean && event.type !== "state.changed") return nowhere
    switch (event.type) {
      case "run.started":
        return [...this.#scopes.at("").keys].map((key) => ["key", key] as const)
      case "model.called":
        return this.#turnAt(event.agent, event.path)?.modelCall() ?? []
      case "tool.called":
        return this.#turnAt(event.agent, event.path)?.toolCall(event.tool) ?? []
      case "agent.started": {
        const tool =
          event.kind === "ToolNode" ? this.#names.ofStates.nodeTools.get(event.agent) : undefined
        return tool !== undefined && this.#inputOf(this.#scopeFor(event))
          ? [["arguments", tool] as const, ["request", tool] as const]
          : []
      }
      case "state.changed":
        return Object.keys(event.set)
          .filter((key) => this.#writes(event, key))
          .map((key) => ["key", key] as const)
      default:
        return []
    }
  }

  /** Updates where data from a source is after this event: in keys, messages and results. */
  follow(event: JudgedEvent, read: ReadOccurrences): void {
    if (this.#isClean) {
      this.#isClean = !this.#isFirst(event, read)
      // Without data from a source, only the containers of agents matter.
      if (this.#isClean && !changesScopes(event, this.#around(event.path) !== null)) return
    }
    switch (event.type) {
      case "agent.started":
        return this.#start(event)
      case "agent.finished":
        return this.#finish(event)
      case "model.called":
        return this.#turnAt(event.agent, event.path)?.followModelCall()
      case "tool.called":
        return this.#turnAt(event.agent, event.path)?.followToolCall(event.callId, event.tool)
      case "tool.finished":
        return this.#return(event, read)
      case "state.changed": {
        const { keys } = this.#scopes.at(event.path)
        for (const key of Object.keys(event.set))
          if (this.#writes(event, key)) keys.add(key)
          else keys.delete(key)
        for (const key of event.removed) keys.delete(key)
        return
      }
      case "edge.followed":
        return this.#graphs.get(event.path)?.follow(event.from, event.to)
      case "parallel.joined":
        return this.#join(event)
      case "human.answered":
      case "user.said":
        return this.#hear(event)
      default:
    }
  }

  /** Returns whether an event can be the first one with data from a source. */
  #isFirst(event: JudgedEvent, read: ReadOccurrences): boolean {
    const { places } = this.#source
    switch (event.type) {
      case "tool.finished":
        return places.isSource("result", event.tool) && read().length > 0
      case "agent.finished":
        return (
          places.isSource("text", event.agent) ||
          places.isSource("answer", event.agent) ||
          (event.kind === "ToolNode" &&
            places.isSource("result", this.#names.ofStates.nodeTools.get(event.agent) ?? ""))
        )
      case "human.answered":
      case "user.said":
        return true
      case "state.changed":
        return Object.keys(event.set).some((key) => this.#writes(event, key))
      default:
        return false
    }
  }

  /** Returns the turn of an LlmAgent. It is created with the first event that needs it. */
  #turnAt(agent: string, path: string): TurnData | undefined {
    const known = this.#turns.get(path)
    const definition = this.#chart.agents[agent]
    if (known !== undefined || this.#isClean || definition?.type !== "LlmAgent") return known
    const scope = this.#scopes.at(path)
    const sees = this.#inputOf(scope) || scope.history
    const turn = new TurnData(
      agent,
      definition,
      this.#readsOf(agent, definition),
      scope,
      sees,
      this.#source,
    )
    this.#turns.set(path, turn)
    return turn
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

  #readsOf(agent: string, definition: TurnDefinition): AgentReads {
    const known = this.#reads.get(agent)
    if (known !== undefined) return known
    const reads = { keys: instructionKeys(definition), services: servicesOf(definition) }
    this.#reads.set(agent, reads)
    return reads
  }

  /** Returns the scope of an agent that starts. Branches, nodes and targets get one of their own. */
  #scopeFor({ agent, path, branch }: EventOf<"agent.started">): DataScope {
    const around = this.#around(path)
    const outer = this.#scopes.at(path)
    if (around === null || outer.id === path) return outer
    const caller = this.#frames.of(path).at(-3)
    const turn = this.#turns.get(caller?.id ?? "")
    if (isCall(around)) {
      const callId = around.slice(around.lastIndexOf("/tool:") + "/tool:".length)
      return forkScope(outer, path, branch, {
        history: false,
        input: turn?.wasSent(callId) ?? false,
      })
    }
    if (this.#kinds.get(around) === "Workflow")
      return this.#graphs.get(around)?.start(agent, path, branch) ?? outer
    return this.#kinds.get(around) === "ParallelAgent"
      ? this.#branchOf(outer, around, path, branch)
      : outer
  }

  #branchOf(outer: DataScope, around: string, path: string, branch: string | null): DataScope {
    const scope = forkScope(outer, path, branch)
    const forEach = this.#names.ofStates.forEach.get(this.#frames.of(around).at(-1)?.agent ?? "")
    const reads = forEach?.items.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []
    if (forEach !== undefined && reads.some((key) => outer.keys.has(key)))
      scope.keys.add(forEach.as)
    return scope
  }

  /** Returns the path of the block, graph or tool call directly around an agent. */
  #around(path: string): string | null {
    const around = this.#frames.of(path).at(-2)?.id
    if (around === undefined) return null
    const kind = this.#kinds.get(around)
    return kind === "ParallelAgent" || kind === "Workflow" || isCall(around) ? around : null
  }

  /** Returns whether the input of the first agents of a scope derives from a source. */
  #inputOf({ input }: DataScope): boolean {
    return input ?? this.#source.places.isSource("prompt", "user")
  }

  #finish({ agent, path, kind, text }: EventOf<"agent.finished">): void {
    const scope = this.#scopes.at(path)
    const isAdk = this.#chart.dialect === "adk"
    const turn = this.#turnAt(agent, path)
    this.#turns.delete(path)
    this.#kinds.delete(path)
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
      scope.history ||= isAdk && ((text !== null && writes.text) || turn?.hasResult === true)
    }
    const around = this.#around(path)
    if (around !== null && this.#kinds.get(around) === "Workflow")
      this.#graphs.get(around)?.finish(agent, scope)
  }

  #return({ agent, path, callId, tool }: EventOf<"tool.finished">, read: ReadOccurrences): void {
    const turn = this.#turnAt(agent, path)
    const call = `${path}/${toolSegment(callId)}`
    // A repeated id has a number in its path.
    const targets = turn?.isRepeated(callId)
      ? this.#scopes.closeAll(call)
      : this.#scopes.close(call)
    if (turn !== undefined && read().length > 0) turn.followResult(callId, tool, targets)
  }

  #join({ agent, path, dropped }: EventOf<"parallel.joined">): void {
    const scope = this.#scopes.at(path)
    const { collect = {} } = this.#names.ofStates.forEach.get(agent) ?? {}
    for (const branch of this.#scopes.close(path)) {
      if (branch.branch !== null && dropped.includes(branch.branch)) continue
      mergeScope(scope, branch)
      scope.text ||= branch.text
      for (const [target, source] of Object.entries(collect))
        if (branch.keys.has(source)) scope.keys.add(target)
    }
  }

  #hear({ agent, path, id }: EventOf<"human.answered" | "user.said">): void {
    const { places } = this.#source
    const isHeard =
      places.isSource("prompt", "user") || (id !== "" && places.isSource("answer", agent))
    if (!isHeard) return
    const turn = this.#turnAt(agent, path)
    if (turn !== undefined) turn.sees = true
    if (this.#chart.dialect === "adk") this.#scopes.at(path).history = true
  }

  /** Returns whether the value that an event writes to a key derives from a source. */
  #writes({ agent, path }: EventOf<"state.changed">, key: string): boolean {
    const { places } = this.#source
    const { keys, text } = this.#scopes.at(path)
    const turn = this.#turns.get(path)
    const isHuman = this.#chart.agents[agent]?.type === "HumanAgent"
    if (places.isSource("key", key) && !isHuman) return true
    if (turn !== undefined) return turn.writes(key)
    if (this.#finished?.path === path) return this.#finished.writes(key)
    if (this.#names.ofStates.containerKeys.get(agent) === key) return text
    return keys.has(key)
  }
}
