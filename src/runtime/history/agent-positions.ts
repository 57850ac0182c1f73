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

/** One machine that is at work, and the states that it is in. */
export interface MachineAt {
  /** Key in the chart, or the library's name: `llmAgent`, `fan`. */
  readonly machine: string
  /** Where it stands in the run. */
  readonly path: string
  /** The innermost active states, keys joined by dots: more than one in parallel regions. */
  readonly states: readonly string[]
  /** Agents and containers whose states are active. */
  readonly agents: readonly (AgentLocation & { readonly kind: AgentKind; readonly place: string })[]
}

/** What an LlmAgent has been told and has said, in its last turn that has begun. */
export interface AgentAt extends AgentLocation {
  readonly isActive: boolean
  readonly conversation: readonly Message[]
  /** The session state as it sees it. */
  readonly state: Readonly<Record<string, unknown>>
}

/** All machines that are at work, those that stand around others first. */
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
    // Only states of agents have a place, and only orchestration machines have states of agents.
    const { kind, place } = meta as StateMeta
    return [{ ...locationOf(context as OrchestrationContext, meta as StateMeta), kind, place }]
  })
}

const isTurn = (context: object): context is LlmAgentContext =>
  "conversation" in context && "definition" in context

/** What an instance knows of its turn; null for machines that are no turn of an LlmAgent. */
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
