import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ToolService } from "../../machines/contract/services.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostFunction } from "../../runtime/host/host-function.js"
import type { HostService } from "../../runtime/host/host-service.js"
import { asFunction } from "../../runtime/host/host-service.js"
import type { Scenario } from "./scenario.js"

/**
 * Replaces the functions of a chart's tools by a script. `posting` must send requests to the
 * scripted service; it serves the tools in the scenario. All other functions come from `registered`.
 *
 * @example
 * const http = createHttpServices({ dispatcher: service.dispatcher() })
 * createRunner({ http, services: scriptedTools(chart, scenario, http.tool, services) })
 */
export function scriptedTools(
  { tools, services = {} }: AgentChart,
  { tools: played }: Pick<Scenario, "tools">,
  posting: ToolService,
  registered: Readonly<Record<string, HostService>> = {},
): Readonly<Record<string, HostService>> {
  const names = Object.entries(tools).flatMap(([id, tool]) =>
    tool.type === "FunctionTool" && played.has(id) ? [tool.service] : [],
  )
  // A function that is also a callback or a node must not be replaced.
  const isToolOnly = (name: string): boolean =>
    services[name]?.kind === "tool" && services[name].also === undefined
  const functions = names.filter(isToolOnly).map((name) => {
    const own = Object.hasOwn(registered, name) ? registered[name] : undefined
    const scripted: HostFunction = (context, input) =>
      own === undefined || (context.tool !== null && played.has(context.tool))
        ? posting.call(...callOf(context, input))
        : asFunction(own)(context, input)
    return [name, scripted] as const
  })
  return { ...registered, ...Object.fromEntries(functions) }
}

/** Converts the call of a function to an HTTP call of the tool. */
function callOf(
  { tool, callId, runId, agent, path, idempotencyKey, signal, state }: Parameters<HostFunction>[0],
  input: unknown,
): Parameters<ToolService["call"]> {
  const name = tool ?? ""
  const request = {
    tool: name,
    // Arguments of a tool are an object (`machines/model-call/tool-call-proposal.ts`).
    arguments: input as JsonObject,
    callId: callId ?? "",
    runId,
    agent,
    path,
    branch: null,
    idempotencyKey,
    attempt: 1,
    context: {},
    grantedSecret: null,
    state: state.toObject(),
    endpoint: { url: `http://tools.test/${name}`, method: "POST" as const },
  }
  return [request, { signal }]
}
