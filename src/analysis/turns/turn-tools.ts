import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import type { HookUse } from "../../machines/contract/hook-use.js"
import { serviceOfHook } from "../../machines/contract/hook-use.js"
import type { OnExpiry } from "../../machines/contract/activity.js"
import type { ToolDefinition } from "../../machines/contract/tool-definition.js"
import { onExpiryOf } from "../../machines/requests/expiry.js"
import type { EngineDecision } from "../../policies/policy.js"
import { namedTools } from "../../policies/named-tools.js"
import { listedTools } from "../behavior/listed-tools.js"
import type { Occurrence } from "../../policies/occurrence.js"
import type { NestedLocation, Setting } from "../behavior/setting.js"
import { declarationOf } from "../behavior/setting.js"

export type LlmDefinition = Extract<AgentDefinition, { type: "LlmAgent" }>

/** A tool that an agent can call, with the callbacks and policy engines that apply to its calls. */
export interface TurnTool {
  readonly name: string
  readonly type: ToolDefinition["type"]
  /**
   * Name of the host function (a function that you register) that implements the tool. null if
   * another program or an agent executes the call.
   */
  readonly service: string | null
  /** Key of the machine that an AgentTool runs. null for all other tools. */
  readonly machine: string | null
  readonly skipsSummarization: boolean
  readonly outputKey: string | null
  readonly mustConfirm: boolean
  readonly expires: boolean
  readonly onExpiry: OnExpiry
  readonly decisions: readonly EngineDecision[]
  /** Names of the agent's policy engines that the policy file does not declare. */
  readonly undeclaredEngines: readonly string[]
  /**
   * Names of the callbacks that run before a call of the tool. `later` contains the callbacks after
   * the call.
   */
  readonly before: readonly string[]
  readonly later: readonly string[]
  /**
   * Id of the undeclared toolset to which the tool may belong. null if it is certain that the tool
   * exists.
   */
  readonly undeclaredToolset: string | null
}

/** Returns the tools that an agent can call, including the tools of its toolsets. */
export function toolsOf(agent: string, setting: Setting): readonly TurnTool[] {
  const definition = setting.chart.agents[agent]
  if (definition?.type !== "LlmAgent") return []
  const own = definition.tools.flatMap((name) => {
    const tool = setting.chart.tools[name]
    return tool === undefined || tool.type === "Toolset"
      ? []
      : [turnTool(name, tool, definition, setting, null)]
  })
  const names = new Set(own.map(({ name }) => name))
  const listed = (definition.toolsets ?? []).flatMap((id) => {
    const toolset = setting.chart.tools[id]
    if (toolset?.type !== "Toolset") return []
    const known = listedTools(id, toolset, setting.set)
    if (known !== null)
      return known.map((name) => turnTool(name, toolset, definition, setting, null))
    if (setting.undeclared === "helpful") return []
    return namedTools(setting.policy)
      .filter((name) => toolset.prefix === undefined || name.startsWith(`${toolset.prefix}_`))
      .map((name) => turnTool(name, toolset, definition, setting, id))
  })
  return [...own, ...listed.filter(({ name }) => !names.has(name))]
}

function turnTool(
  name: string,
  tool: ToolDefinition,
  { adk }: LlmDefinition,
  setting: Setting,
  undeclaredToolset: string | null,
): TurnTool {
  const engines = adk?.policies ?? []
  const before = functionsOf(adk?.hooks?.beforeTool)
  const later = [...functionsOf(adk?.hooks?.afterTool), ...functionsOf(adk?.hooks?.onToolError)]
  const isAgent = tool.type === "AgentTool"
  return {
    name,
    type: tool.type,
    service: tool.type === "FunctionTool" || tool.type === "Toolset" ? serviceNameOf(tool) : null,
    machine: isAgent ? tool.machine : null,
    skipsSummarization: isAgent && tool.skipSummarization,
    outputKey: "outputKey" in tool ? tool.outputKey : null,
    mustConfirm: "requireConfirmation" in tool && tool.requireConfirmation === true,
    expires: "expiresInMs" in tool && tool.expiresInMs != null,
    onExpiry: onExpiryOf("approval", "onExpiry" in tool ? { onExpiry: tool.onExpiry } : {}),
    decisions: decisionsOf(engines, name, setting),
    undeclaredEngines: engines.filter((engine) => declarationOf(setting, engine) === null),
    before,
    later,
    undeclaredToolset,
  }
}

/** Returns the name of the host function that implements a tool. Returns null for a toolset. */
const serviceNameOf = (
  tool: Extract<ToolDefinition, { type: "FunctionTool" | "Toolset" }>,
): string | null => (tool.type === "Toolset" ? null : tool.service)

const functionsOf = (uses: readonly HookUse[] = []): readonly string[] => uses.map(serviceOfHook)

/**
 * Returns the possible decisions of all policy engines of an agent about a tool. If the engines
 * differ, the strictest decision applies, so a call without approval needs `ALLOW` from every
 * engine.
 */
function decisionsOf(
  engines: readonly string[],
  tool: string,
  setting: Setting,
): readonly EngineDecision[] {
  let together: ReadonlySet<EngineDecision> = new Set(["ALLOW"])
  for (const engine of engines) {
    const declared = declarationOf(setting, engine)
    const own: readonly EngineDecision[] =
      declared === null
        ? setting.undeclared === "helpful"
          ? ["DENY"]
          : ["ALLOW", "DENY", "CONFIRM"]
        : declared.decides === null
          ? ["ALLOW", "DENY", "CONFIRM"]
          : Object.hasOwn(declared.decides, tool)
            ? (declared.decides[tool] ?? [])
            : (declared.decides["*"] ?? ["ALLOW", "DENY", "CONFIRM"])
    together = new Set([...together].flatMap((one) => own.map((other) => stricter(one, other))))
  }
  return [...together]
}

const strictness: readonly EngineDecision[] = ["ALLOW", "CONFIRM", "DENY"]

const stricter = (one: EngineDecision, other: EngineDecision): EngineDecision =>
  strictness.indexOf(one) > strictness.indexOf(other) ? one : other

/**
 * Returns whether calls of a tool can influence the verdict on the policy, the session state or the
 * course of the turn.
 */
export function isRelevant(
  tool: TurnTool,
  agent: string,
  location: NestedLocation,
  setting: Setting,
): boolean {
  const base = { name: tool.name, agent, within: location.within }
  const frame = { id: `${location.id}#${tool.name}`, agent: null, tool: tool.name }
  const occurrences: readonly Occurrence[] = [
    { ...base, kind: "call", approved: true, activity: frame },
    { ...base, kind: "call", approved: false, activity: frame },
    { ...base, kind: "result" },
    { ...base, kind: "returned", activity: frame },
    { ...base, kind: "approval" },
    { ...base, kind: "rejection" },
  ]
  return (
    occurrences.some((occurrence) => setting.automaton.reads(occurrence)) ||
    (tool.outputKey !== null && setting.keys.has(tool.outputKey)) ||
    tool.type === "ExitLoopTool" ||
    tool.machine !== null ||
    tool.skipsSummarization ||
    (tool.onExpiry === "fail" && tool.expires) ||
    [tool.service, ...tool.before, ...tool.later].some(
      (service) => service !== null && functionMatters(service, setting),
    )
  )
}

/**
 * Returns whether a host function can have an effect that the policy observes or that changes the
 * course of the turn.
 */
function functionMatters(service: string, setting: Setting): boolean {
  const declared = declarationOf(setting, service)
  return (
    declared === null ||
    declared.mayCall.length > 0 ||
    declared.mayWrite.some((key) => setting.keys.has(key)) ||
    declared.mayEscalate ||
    declared.mayTransferTo.length > 0 ||
    declared.maySkipSummarization
  )
}
