import type { Hooks } from "../../../../machines/contract/agent-definition.js"
import { agentCallbackFields, callCallbackFields } from "../../../agent-types/common.js"
import type { ParsedFields } from "../../config/agent-config.js"

/** Names of the callback hooks, in the order in which the compiled chart stores them. */
export const hookNames = [
  "beforeAgent",
  "afterAgent",
  "beforeModel",
  "afterModel",
  "onModelError",
  "beforeTool",
  "afterTool",
  "onToolError",
] as const satisfies readonly (keyof Hooks)[]

/** Describes the config fields that contain the callbacks of an LlmAgent or a plugin. */
export const callbackFields = { ...agentCallbackFields, ...callCallbackFields } as const

/** Returns the callbacks by hook. Hooks without callbacks are omitted. */
export const hooksOf = (callbacks: Partial<ParsedFields<typeof callbackFields>>): Hooks =>
  joinHooks([Object.fromEntries(hookNames.map((name) => [name, callbacks[name] ?? []]))])

/**
 * Concatenates the callbacks of each hook, in the order of the arguments. Hooks without callbacks
 * are omitted.
 */
export function joinHooks(all: readonly Hooks[]): Hooks {
  const joined = hookNames.map((name) => [name, all.flatMap((hooks) => hooks[name] ?? [])] as const)
  return Object.fromEntries(joined.filter(([, callbacks]) => callbacks.length > 0))
}
