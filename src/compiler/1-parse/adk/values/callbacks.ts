import type { Hooks } from "../../../../machines/contract/agent-definition.js"
import type { HookUse } from "../../../../machines/contract/hook-use.js"
import type { Field } from "../../fields/field-table.js"
import { optional } from "../../fields/field-table.js"
import { callbackNames } from "./service-names.js"

/** Moments at which every agent of ADK calls back, and those that only an LlmAgent comes to. */
type AgentMoment = "beforeAgent" | "afterAgent"
type Moment = keyof Hooks

export const moments = [
  "beforeAgent",
  "afterAgent",
  "beforeModel",
  "afterModel",
  "onModelError",
  "beforeTool",
  "afterTool",
  "onToolError",
] as const satisfies readonly Moment[]

type CallbackFields<Moments extends Moment> = {
  readonly [Name in Moments as `${Name}Callback`]: Field<readonly HookUse[]>
}

const callbacks = optional(callbackNames)

/** Of an LlmAgent and of a plugin. */
export const callbackFields: CallbackFields<Moment> = {
  beforeAgentCallback: callbacks,
  afterAgentCallback: callbacks,
  beforeModelCallback: callbacks,
  afterModelCallback: callbacks,
  onModelErrorCallback: callbacks,
  beforeToolCallback: callbacks,
  afterToolCallback: callbacks,
  onToolErrorCallback: callbacks,
}

/** Of containers and custom agents. */
export const agentCallbackFields: CallbackFields<AgentMoment> = {
  beforeAgentCallback: callbacks,
  afterAgentCallback: callbacks,
}

/** A list of callbacks may have a name in the plural. */
export const pluralCallbacks = Object.fromEntries(
  Object.keys(callbackFields).map((name) => [`${name}s`, name]),
)

type CallbackValues = { readonly [Name in Moment as `${Name}Callback`]: readonly HookUse[] | null }

/** Without the moments at which nothing is called. */
export const hooksOf = (values: Partial<CallbackValues>): Hooks =>
  joinHooks([
    Object.fromEntries(moments.map((moment) => [moment, values[`${moment}Callback`] ?? []])),
  ])

/** One after the other at every moment. */
export function joinHooks(all: readonly Hooks[]): Hooks {
  const joined = moments.map(
    (moment) => [moment, all.flatMap((hooks) => hooks[moment] ?? [])] as const,
  )
  return Object.fromEntries(joined.filter(([, names]) => names.length > 0))
}
