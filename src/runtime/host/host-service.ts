import type { Hooks } from "../../machines/contract/agent-definition.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { ToolsetInput } from "../../machines/model-call/toolset.js"
import type { HostContext, HostFunction } from "./host-function.js"

/** A service that you register under a name: a function, a toolset, or a plugin. */
export type HostService = HostFunction | Toolset | Plugin

/**
 * Tools that are only known at run time. They are listed once in each turn of an agent with the
 * toolset.
 */
export interface Toolset {
  /** Returns the tools as models see them. */
  list(context: HostContext): Promise<readonly OfferedTool[]> | readonly OfferedTool[]
  /** Calls a listed tool by its name and returns its result. */
  call(
    context: HostContext,
    name: string,
    args: Record<string, unknown>,
  ): Promise<unknown> | unknown
}

/** A tool that a toolset lists. */
export interface OfferedTool {
  readonly name: string
  readonly description?: string
  /** JSON Schema of the arguments. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** Callbacks for all agents of a workflow, by hook name, and a policy engine for its tool calls. */
export type Plugin = { readonly [Moment in keyof Hooks | "policy"]?: HostFunction }

/**
 * Returns whether a service is a toolset. Checks the type at run time, because users may write
 * JavaScript.
 */
export const isToolset = (service: HostService): service is Toolset =>
  isJsonObject(service) &&
  "list" in service &&
  "call" in service &&
  typeof service.list === "function"

/**
 * Converts a service to a function whose input selects the tool of a toolset or the hook of a
 * plugin.
 */
export function asFunction(service: HostService): HostFunction {
  if (typeof service === "function") return service
  if (isToolset(service)) {
    return (context, input) => {
      // Only machines of this package call toolsets.
      const request = input as ToolsetInput
      return request.verb === "list"
        ? service.list(context)
        : service.call(context, request.tool, { ...request.arguments })
    }
  }
  return (context, input) => {
    const hook = isJsonObject(input) ? input["hook"] : undefined
    const callback =
      typeof hook === "string" && Object.hasOwn(service, hook)
        ? service[hook as keyof Plugin]
        : undefined
    return callback?.(context, input)
  }
}
