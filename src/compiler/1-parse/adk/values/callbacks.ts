import type { Hooks } from "../../../../machines/contract/agent-definition.js"
import { agentCallbackFields, callCallbackFields } from "../../../agent-types/common.js"
import type { ParsedFields } from "../../config/agent-config.js"

/** The hooks at which callbacks are called, in the order of the chart. */
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

/** The fields for callbacks that an LlmAgent and a plugin have. */
export const callbackFields = { ...agentCallbackFields, ...callCallbackFields } as const

/** Returns the hooks that have callbacks. */
export const hooksOf = (callbacks: Partial<ParsedFields<typeof callbackFields>>): Hooks =>
  joinHooks([Object.fromEntries(hookNames.map((name) => [name, callbacks[name] ?? []]))])

/** Joins the callbacks of each hook, in the order of the arguments. */
export function joinHooks(all: readonly Hooks[]): Hooks {
  const joined = hookNames.map((name) => [name, all.flatMap((hooks) => hooks[name] ?? [])] as const)
  return Object.fromEntries(joined.filter(([, callbacks]) => callbacks.length > 0))
}
