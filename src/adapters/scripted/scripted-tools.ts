import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ToolService } from "../../machines/contract/services.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostFunction } from "../../runtime/host/host-function.js"
import type { HostService } from "../../runtime/host/host-service.js"
import { asFunction } from "../../runtime/host/host-service.js"
import { performMachine } from "../../runtime/host/user-machine/perform-machine.js"
import type { Scenario } from "./scenario.js"

/**
 * Creates services for the functions that a chart uses as tools or guardrails. If the scenario
 * contains responses for a tool, the tool's function is replaced with a call to the scripted
 * service. A guardrail function is replaced if the scenario contains responses for a tool of the
 * same name. All other functions are taken from `registered`. `posting` must be a service that
 * sends its requests to the scripted service.
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
  // A function that is also used as a callback or a graph node is not replaced.
  const isToolOnly = (name: string): boolean =>
    services[name]?.kind === "tool" && services[name].also === undefined
  const functions = names.filter(isToolOnly).map((name) => {
    const own = Object.hasOwn(registered, name) ? registered[name] : undefined
    const scripted: HostFunction = (context, input) =>
      own === undefined || (context.tool !== null && played.has(context.tool))
        ? posting.call(...callOf(context, context.tool ?? "", input))
        : asFunction(own, performMachine)(context, input)
    return [name, scripted] as const
  })
  const guardrails = Object.entries(services)
    .filter(([name, { kind, also }]) => kind === "guardrail" && !also && played.has(name))
    .map(([name]) => {
      const scripted: HostFunction = (context, input) =>
        posting.call(...callOf(context, name, input))
      return [name, scripted] as const
    })
  return { ...registered, ...Object.fromEntries([...functions, ...guardrails]) }
}

/** Returns the request that is sent to the scripted service instead of calling a tool function. */
function callOf(
  { callId, runId, agent, path, idempotencyKey, signal, state }: Parameters<HostFunction>[0],
  name: string,
  input: unknown,
): Parameters<ToolService["call"]> {
  const request = {
    tool: name,
    // The cast is safe. The arguments of a tool are an object
    // (`machines/model-call/tool-call-proposal.ts`).
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
