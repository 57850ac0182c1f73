import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { JudgedEvent } from "../judged-event.js"
import { toolSegment } from "../../../machines/model-call/llm-agent-context.js"
import { instructionKeys, servicesOf } from "../../agent-reads.js"
import type { Frame } from "../../occurrence.js"
import type { FlowPlaceKind } from "../../policy.js"
import type { ChartNames } from "../chart-names.js"
import { PathFrames } from "../path-frames.js"
import type { DataScope } from "./data-scopes.js"
import { DataScopes, forkScope, mergeScope } from "./data-scopes.js"
import { functionData } from "./function-flow.js"
import { GraphInputs } from "./graph-inputs.js"
import type { AgentReads, FlowSource, TurnDefinition } from "./turn-data.js"
import { TurnData } from "./turn-data.js"

type EventOf<Type extends JudgedEvent["type"]> = Extract<JudgedEvent, { type: Type }>

type Reached = readonly [kind: FlowPlaceKind, name: string]

/** Follows the data of one run from place to place (docs/policies.md#data-flow). */
export class FlowFollower {
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
    switch (event.type) {
      case "run.started":
        return [...this.#scopes.at("").keys].map((key) => ["key", key] as const)
      case "model.called":
        return this.#turns.get(event.path)?.modelCall() ?? []
      case "tool.called":
        return this.#turns.get(event.path)?.toolCall(event.tool) ?? []
      case "agent.started": {
        const tool = event.kind === "ToolNode" ? this.#names.nodeTools.get(event.agent) : undefined
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

  /** Moves the data with an event. */
  follow(event: JudgedEvent): void {
    switch (event.type) {
      case "agent.started":
        return this.#start(event)
      case "agent.finished":
        return this.#finish(event)
      case "model.called":
        return this.#turns.get(event.path)?.followModelCall()
      case "tool.called":
        return this.#turns.get(event.path)?.followToolCall(event.callId, event.tool)
      case "tool.finished":
        return this.#return(event)
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

  #start(event: EventOf<"agent.started">): void {
    const { agent, path, kind } = event
    const scope = this.#scopeFor(event)
    const around = this.#around(path)
    if (scope.id === path && around !== null) this.#scopes.open(around, scope)
    this.#kinds.set(path, kind)
    if (kind === "Workflow") this.#graphs.set(path, new GraphInputs(scope))
    const definition = this.#chart.agents[agent]
    if (definition?.type === "LlmAgent")
      this.#turns.set(
        path,
        new TurnData(
          agent,
          definition,
          this.#readsOf(agent, definition),
          scope,
          this.#inputOf(scope) || scope.history,
          this.#source,
        ),
      )
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
    if (turn !== undefined && this.#isCall(around)) {
      const callId = around.slice(around.lastIndexOf("/tool:") + "/tool:".length)
      return forkScope(outer, path, branch, { history: false, input: turn.wasSent(callId) })
    }
    if (this.#kinds.get(around) === "Workflow")
      return this.#graphs.get(around)?.start(agent, path, branch) ?? outer
    return this.#kinds.get(around) === "ParallelAgent"
      ? this.#branchOf(outer, around, path, branch)
      : outer
  }

  #branchOf(outer: DataScope, around: string, path: string, branch: string | null): DataScope {
    const scope = forkScope(outer, path, branch)
    const forEach = this.#names.forEach.get(this.#frames.of(around).at(-1)?.agent ?? "")
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
    return kind === "ParallelAgent" || kind === "Workflow" || this.#isCall(around) ? around : null
  }

  #isCall(path: string): boolean {
    return path.slice(path.lastIndexOf("/") + 1).startsWith("tool:")
  }

  /** Returns whether the input of the first agents of a scope derives from a source. */
  #inputOf({ input }: DataScope): boolean {
    return input ?? this.#source.places.isSource("prompt", "user")
  }

  #finish({ agent, path, kind, text }: EventOf<"agent.finished">): void {
    const scope = this.#scopes.at(path)
    const isAdk = this.#chart.dialect === "adk"
    const turn = this.#turns.get(path)
    this.#turns.delete(path)
    this.#kinds.delete(path)
    const writes = this.#leave(agent, path, kind, scope, turn)
    if (writes !== null) {
      this.#finished = { path, writes: (key) => writes.key(key) }
      if (text !== null) scope.text = writes.text
      scope.history ||= isAdk && ((text !== null && writes.text) || turn?.hasResult === true)
    }
    const around = this.#around(path)
    if (around !== null && this.#kinds.get(around) === "Workflow")
      this.#graphs.get(around)?.finish(agent, scope)
  }

  /** Returns what an agent says and writes; null for containers, which add nothing of their own. */
  #leave(
    agent: string,
    path: string,
    kind: string,
    scope: DataScope,
    turn: TurnData | undefined,
  ): { readonly text: boolean; key(key: string): boolean } | null {
    if (turn !== undefined) return { text: turn.text, key: (key) => turn.writes(key) }
    const { places, set } = this.#source
    const service = this.#names.agentServices.get(agent)
    switch (kind) {
      case "HumanAgent": {
        const text = places.isSource("answer", agent)
        return { text, key: (key) => text && key === this.#chart.agents[agent]?.outputKey }
      }
      case "Workflow":
        this.#graphs.get(path)?.close()
        this.#graphs.delete(path)
        this.#scopes.close(path)
        return null
      case "ParallelAgent":
        this.#scopes.close(path)
        return null
      case "JoinNode":
        return { text: this.#inputOf(scope), key: () => false }
      default: {
        if (service === undefined) return null
        const input = this.#inputOf(scope)
        const flow = functionData(service, input, scope, set)
        const tool = kind === "ToolNode" ? this.#names.nodeTools.get(agent) : undefined
        const isCleaned = tool !== undefined && places.isCleaned("result", tool)
        const isSource = tool !== undefined && places.isSource("result", tool)
        const passesOn = kind === "RouterNode" && input
        const text = isSource || (!isCleaned && flow.result) || passesOn
        return { text, key: (key) => flow.writes(key) }
      }
    }
  }

  #return({ path, callId, tool }: EventOf<"tool.finished">): void {
    const turn = this.#turns.get(path)
    if (turn === undefined) return
    const call = `${path}/${toolSegment(callId)}`
    // A repeated id has a number in its path.
    const targets = turn.isRepeated(callId) ? this.#scopes.closeAll(call) : this.#scopes.close(call)
    turn.followResult(callId, tool, targets)
  }

  #join({ agent, path, dropped }: EventOf<"parallel.joined">): void {
    const scope = this.#scopes.at(path)
    const { collect = {} } = this.#names.forEach.get(agent) ?? {}
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
    const isMessage = id === ""
    const isHeard = isMessage
      ? places.isSource("prompt", "user")
      : places.isSource("answer", agent) || places.isSource("prompt", "user")
    if (!isHeard) return
    const turn = this.#turns.get(path)
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
    if (this.#names.containerKeys.get(agent) === key) return text
    return keys.has(key)
  }
}
