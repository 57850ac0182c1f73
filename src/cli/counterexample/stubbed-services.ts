import { modelsOf } from "../../machines/model-call/agent-models.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { permissionsOf } from "../../policies/permissions-of.js"
import type { PolicySet } from "../../policies/policy.js"
import { defaultStep } from "./act-answers.js"
import type { StubStep } from "./stub-module.js"

/**
 * Returns the names of the models whose services must declare that they can send control signals,
 * such as `waitForUserInput`. Without this declaration, each response of such a model ends the run.
 * Empty if the policy file assumes that models send no signals.
 */
export const signallingModels = (
  { agents }: AgentChart,
  { assume }: PolicySet,
): readonly string[] =>
  assume.modelSignals.length === 0
    ? []
    : Object.values(agents).flatMap((agent) =>
        agent.type === "LlmAgent" && agent.byName?.endsRun === true ? modelsOf(agent) : [],
      )

/**
 * Returns the tool names of each toolset, by service name of the toolset. The names do not contain
 * the prefix of the toolset.
 */
export function toolsetLists(
  { tools }: AgentChart,
  { toolsets }: PolicySet,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(tools).flatMap(([id, tool]) =>
      tool.type === "Toolset"
        ? [[tool.service, tool.toolFilter ?? toolsets[id] ?? []] as const]
        : [],
    ),
  )
}

/** Returns the names of the XState machines that MachineAgents of the chart run. */
export const machineServices = ({ services = {} }: AgentChart): readonly string[] =>
  Object.keys(services).filter((name) => services[name]?.kind === "machine")

/**
 * Returns the default action of the stub for each host function, by function name. For example, the
 * stub of a tool function returns `{ done: true }`.
 */
export function usualFunctions(
  { services = {} }: AgentChart,
  set: PolicySet,
): Readonly<Record<string, StubStep>> {
  return Object.fromEntries(
    Object.entries(services).flatMap(([name, { kind }]): (readonly [string, StubStep])[] => {
      switch (kind) {
        case "toolset":
        case "machine":
          return []
        case "callback":
        case "plugin":
          return [[name, {}]]
        case "policy": {
          const decides = permissionsOf(set, name)?.decides ?? {}
          return [[name, { return: { outcome: decides["*"]?.[0] ?? "ALLOW" } }]]
        }
        case "tool":
          return [[name, defaultStep({ hook: null, tool: name, kind: "function" })]]
        default:
          return [[name, defaultStep({ hook: null, tool: null, kind: "function" })]]
      }
    }),
  )
}
