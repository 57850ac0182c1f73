import type { AgentKind, StateMeta } from "../../machines/contract/chart-machine.js"
import type { Message } from "../../machines/contract/services.js"
import { systemText } from "../../machines/model-call/conversation.js"
import type { LlmAgentContext } from "../../machines/model-call/llm-agent-context.js"
import type { OrchestrationContext } from "../../machines/containers/orchestration-context.js"
import { locationOf } from "../../machines/containers/orchestration-context.js"
import type { AgentLocation } from "../../machines/contract/run-event.js"
import { toObject } from "../../machines/data/session-state.js"
import type { Instance } from "../driver/instance.js"
import { isInstance } from "../driver/instance.js"

/** A machine that is running, and its active states. */
export interface MachineAt {
  /**
   * The key of the machine in the chart, or the name of a built-in machine such as `llmAgent` or
   * `fan`.
   */
  readonly machine: string
  /** Path of the machine in the run. */
  readonly path: string
  /** The innermost active states, with keys joined by dots. Parallel regions have several. */
  readonly states: readonly string[]
  /** The agents and containers whose states are active. */
  readonly agents: readonly (AgentLocation & { readonly kind: AgentKind; readonly place: string })[]
}

/** The conversation of an LlmAgent in its last turn. */
export interface AgentAt extends AgentLocation {
  /** Whether the turn is in progress. */
  readonly isActive: boolean
  readonly conversation: readonly Message[]
  /** The session state that the agent reads. */
  readonly state: Readonly<Record<string, unknown>>
}

/** Returns all running machines. A parent precedes its children. */
export function machinesAt(root: Instance | null): readonly MachineAt[] {
  const found: MachineAt[] = []
  for (const instance of instancesOf(root)) {
    const { key } = instance.machine.program
    const { input } = instance.context as { readonly input: AgentLocation }
    found.push({
      machine: key,
      path: input.path,
      states: innermost(instance.state.snapshot.value),
      agents: placesOf(instance),
    })
  }
  return found
}

/** Yields a machine and all machines below it. A parent precedes its children. */
export function* instancesOf(root: Instance | null): Generator<Instance> {
  const open = root === null ? [] : [root]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    yield one
    open.push(...one.children.all().filter(isInstance).reverse())
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
    // Only states of agents have a place, and only orchestration machines contain them.
    const { kind, place } = meta as StateMeta
    return [{ ...locationOf(context as OrchestrationContext, meta as StateMeta), kind, place }]
  })
}

const isTurn = (context: object): context is LlmAgentContext =>
  "conversation" in context && "definition" in context

/** Returns the turn of an LlmAgent, or null for other machines. */
export function agentAt({ context, alive }: Instance): AgentAt | null {
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
