import type { AnyStateMachine } from "xstate"
import type { Hooks } from "../../machines/contract/agent-definition.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { ToolsetInput } from "../../machines/model-call/toolset.js"
import type { MachineRequest } from "../../machines/contract/host/user-machine.js"
import type { MachineService } from "./user-machine/machine-service.js"
import { machineServiceOf } from "./user-machine/machine-service.js"
import type { performMachine } from "./user-machine/perform-machine.js"
import type { HostContext, HostFunction } from "./host-function.js"

/**
 * A service that you register under a name: a host function, a toolset, a plugin, or the XState
 * machine of a MachineAgent.
 */
export type HostService = HostFunction | Toolset | Plugin | MachineService | AnyStateMachine

/**
 * A set of tools that is determined at run time. The runtime calls `list` once in each turn of an
 * agent that uses the toolset.
 */
export interface Toolset {
  /** Returns the tool declarations that are sent to the model. */
  list(context: HostContext): Promise<readonly OfferedTool[]> | readonly OfferedTool[]
  /**
   * Calls the tool with this name and returns its result. Only called for tools that `list` has
   * returned.
   */
  call(
    context: HostContext,
    name: string,
    args: Record<string, unknown>,
  ): Promise<unknown> | unknown
}

/** Declaration of a tool, as a toolset returns it. The declaration is sent to the model. */
export interface OfferedTool {
  readonly name: string
  readonly description?: string
  /** JSON Schema of the tool's arguments. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

/**
 * Callbacks that run for all agents of a workflow, by hook name. The `policy` callback decides
 * whether a tool call runs, is rejected, or needs an approval.
 */
export type Plugin = { readonly [Moment in keyof Hooks | "policy"]?: HostFunction }

/**
 * Returns true if a service is a toolset. The check is made at run time, because services may be
 * written in JavaScript.
 */
export const isToolset = (service: HostService): service is Toolset =>
  isJsonObject(service) &&
  "list" in service &&
  "call" in service &&
  typeof service.list === "function"

/**
 * Returns a host function that executes a service. The input of the function selects the tool of a
 * toolset, or the hook of a plugin. `perform` executes XState machines. It is null if no chart
 * contains a MachineAgent.
 */
export function asFunction(
  service: HostService,
  perform: typeof performMachine | null,
): HostFunction {
  if (typeof service === "function") return service
  const machine = machineServiceOf(service)
  if (machine !== null && perform !== null)
    // The cast is safe: only the built-in machines of this package call services that are XState
    // machines.
    return (context, input) => perform(machine, input as MachineRequest, context)
  if (isToolset(service)) {
    return (context, input) => {
      // The cast is safe: only the built-in machines of this package call toolsets.
      const request = input as ToolsetInput
      return request.verb === "list"
        ? service.list(context)
        : service.call(context, request.tool, { ...request.arguments })
    }
  }
  // Every other service is a plugin.
  const plugin = service as Plugin
  return (context, input) => {
    const hook = isJsonObject(input) ? input["hook"] : undefined
    const callback =
      typeof hook === "string" && Object.hasOwn(plugin, hook)
        ? plugin[hook as keyof Plugin]
        : undefined
    return callback?.(context, input)
  }
}
