import type { Hooks } from "../../machines/contract/agent-definition.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { ToolsetInput } from "../../machines/model-call/toolset.js"
import type { HostContext, HostFunction } from "./host-function.js"

/** What may be registered under a name: one function, a toolset, or a plugin. */
export type HostService = HostFunction | Toolset | Plugin

/** Tools that are known only when they are asked for, once in each turn of an agent that has the toolset. */
export interface Toolset {
  /** Its tools as they are declared to models. */
  list(context: HostContext): Promise<readonly OfferedTool[]> | readonly OfferedTool[]
  /** Calls one of them, by the name that it was listed with. Gives the result, or throws. */
  call(
    context: HostContext,
    name: string,
    args: Record<string, unknown>,
  ): Promise<unknown> | unknown
}

export interface OfferedTool {
  readonly name: string
  readonly description?: string
  /** JSON schema of the arguments. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** Callbacks for every agent of a workflow, by the moment at which they are called, and a policy engine for its tool calls. */
export type Plugin = { readonly [Moment in keyof Hooks | "policy"]?: HostFunction }

/** Services come from code that no compiler may have looked at. */
export const isToolset = (service: HostService): service is Toolset =>
  isJsonObject(service) &&
  "list" in service &&
  "call" in service &&
  typeof service.list === "function"

/** A service as one function: a toolset is told what it is asked, a plugin at which moment it is called. */
export function asFunction(service: HostService): HostFunction {
  if (typeof service === "function") return service
  if (isToolset(service)) {
    return (context, input) => {
      // The library's own machines ask.
      const asked = input as ToolsetInput
      return asked.verb === "list"
        ? service.list(context)
        : service.call(context, asked.tool, { ...asked.arguments })
    }
  }
  return (context, input) => {
    const moment = isJsonObject(input) ? input["hook"] : undefined
    const called =
      typeof moment === "string" && Object.hasOwn(service, moment)
        ? service[moment as keyof Plugin]
        : undefined
    return called?.(context, input)
  }
}
