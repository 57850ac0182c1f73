import type { HostRequest, ModelRequest, ToolRequest } from "../../machines/contract/services.js"
import type { LeafCall } from "../../runtime/driver/host.js"
import type { RegisteredServices } from "./simulated-services.js"

/**
 * Returns whether a call executes code that the program has registered. This is a host function, a
 * model service or a tool service.
 */
export function runsOwnCode(
  { src, input }: LeafCall,
  { services = {}, models = {}, tools = {} }: RegisteredServices,
): boolean {
  // The casts are safe: the source of a call determines its request.
  const { request } = input as { readonly request: unknown }
  switch (src) {
    case "callHost":
      return Object.hasOwn(services, (request as HostRequest).service)
    case "callModel":
      return Object.hasOwn(models, (request as ModelRequest).model ?? "")
    case "callTool":
      return Object.hasOwn(tools, (request as ToolRequest).tool)
    default:
      return false
  }
}
