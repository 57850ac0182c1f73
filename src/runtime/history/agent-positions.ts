import type { AgentKind, StateMeta } from "../../machines/contract/chart-machine.js"
import type { Message } from "../../machines/contract/services.js"
import { systemText } from "../../machines/model-call/conversation.js"
import type { LlmAgentContext } from "../../machines/model-call/llm-agent-context.js"
import type { MachineAgentContext } from "../../machines/machine-agent/machine-agent-context.js"
import type { OrchestrationContext } from "../../machines/containers/orchestration-context.js"
import { locationOf } from "../../machines/containers/orchestration-context.js"
import type { AgentLocation } from "../../machines/contract/run-event.js"
import { toObject } from "../../machines/data/session-state.js"
import type { Instance } from "../driver/instance.js"
import { isInstance } from "../driver/instance.js"

/** A state machine that is running at one position in a run, with its active states and agents. */
export interface MachineAt {
  /** Key of the machine in the chart, or name of a built-in machine such as `llmAgent` or `fan`. */
  readonly machine: string
  /** Path of the agent to which the machine belongs, for example `pipeline/writer`. */
  readonly path: string
  /**
   * Innermost active states of the machine. Each state is written as state keys joined by dots, for
   * example `pipeline.writer`. A parallel state has one innermost active state for each region.
   */
  readonly states: readonly string[]
  /**
   * Agents and containers (sequences, loops, parallel blocks) whose states are active. `place` is
   * the path of the state in the chart, for example `pipeline.writer`.
   */
  readonly agents: readonly (AgentLocation & { readonly kind: AgentKind; readonly place: string })[]
}

/** The current or last turn of an LlmAgent, with its messages and its session state. */
export interface AgentAt extends AgentLocation {
  /** True while the turn is in progress. */
  readonly isActive: boolean
  readonly conversation: readonly Message[]
  /** The session state that this agent can read, by state key. */
  readonly state: Readonly<Record<string, unknown>>
}

/**
 * Returns all running machines of a run. Each parent comes before its children. If `root` is null,
 * because the run has not started, returns an empty array.
 */
export function machinesAt(root: Instance | null): readonly MachineAt[] {
  const found: MachineAt[] = []
  for (const instance of instancesOf(root)) {
    const { key } = instance.machine.program
    const { input } = instance.context as { readonly input: AgentLocation }
    found.push({
      machine: key,
      path: input.path,
      states: statesOf(instance),
      agents: placesOf(instance),
    })
  }
  return found
}

/**
 * Returns the innermost active states of a machine as state keys joined by dots. For a
 * MachineAgent, the result includes the states of the XState machine that the agent runs.
 */
function statesOf({ machine, state, context }: Instance): readonly string[] {
  const states = innermost(state.snapshot.value)
  if (machine.program.key !== "machineAgent") return states
  // The cast is safe: the context of this machine always has this type.
  const { states: inner } = context as MachineAgentContext
  return states.flatMap((each) =>
    each === "running" && inner.length > 0 ? inner.map((own) => `${each}.${own}`) : [each],
  )
}

/** Yields a machine instance and all of its descendants. Each parent comes before its children. */
export function* instancesOf(root: Instance | null): Generator<Instance> {
  const open = root === null ? [] : [root]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    yield one
    open.push(...one.children.values().filter(isInstance).reverse())
  }
}

type StateValue = Instance["state"]["snapshot"]["value"]

const innermost = (value: StateValue): readonly string[] =>
  typeof value === "string"
    ? [value]
    : Object.entries(value as Readonly<Record<string, StateValue>>).flatMap(([key, inner]) => {
        const below = innermost(inner)
        return below.length === 0 ? [key] : below.map((state) => `${key}.${state}`)
      })

function placesOf({ state, context }: Instance): MachineAt["agents"] {
  const metas = Object.values(
    state.snapshot.getMeta() as Readonly<Record<string, Partial<StateMeta> | undefined>>,
  )
  return metas.flatMap((meta) => {
    if (meta?.place === undefined) return []
    // Only states of agents have a `place`, and these states always belong to orchestration
    // machines.
    const { kind, place } = meta as StateMeta
    return [{ ...locationOf(context as OrchestrationContext, meta as StateMeta), kind, place }]
  })
}

const isTurn = (context: object): context is LlmAgentContext =>
  "conversation" in context && "definition" in context

/**
 * Returns the turn that an LlmAgent machine executes, or null if `context` belongs to another
 * machine.
 */
export function agentAt({ context, isAlive: alive }: Instance): AgentAt | null {
  if (!isTurn(context)) return null
  const { agent, path, branch } = context.input
  const system =
    context.instructions?.ok === true ? context.instructions.system : systemText(context.definition)
  const conversation: readonly Message[] =
    system === null
      ? context.conversation
      : [{ role: "system", content: system }, ...context.conversation]
  return { agent, path, branch, isActive: alive, conversation, state: toObject(context.state) }
}
