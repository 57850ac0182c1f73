import type { ChartServices, ChartServiceUse } from "../../machines/contract/agent-chart.js"
import type { Hooks } from "../../machines/contract/agent-definition.js"
import type { HookUse } from "../../machines/contract/hook-use.js"
import { serviceOfHook } from "../../machines/contract/hook-use.js"
import type {
  AgentNode,
  CodeNode,
  FunctionToolNode,
  WorkflowGraphNode,
  WorkflowTree,
} from "../2-resolve/agent-node.js"

type Kind = ChartServiceUse["kind"]

/**
 * Returns the host functions that a chart needs, by name, with the first agent that uses each
 * function. A run does not start if one of these functions is missing.
 */
export function servicesOf(workflow: WorkflowTree): ChartServices {
  const uses = new Map<string, ChartServiceUse[]>()
  for (const agent of workflow.agents.values()) {
    for (const [name, asked] of namesOf(agent, workflow)) {
      const kind =
        workflow.plugins.has(name) && (asked === "callback" || asked === "policy")
          ? "plugin"
          : asked
      const known = uses.get(name)
      if (known === undefined) uses.set(name, [{ kind, usedBy: agent.id }])
      else if (known.every((use) => use.kind !== kind)) known.push({ kind, usedBy: agent.id })
    }
  }
  for (const { name, kind, usedBy } of workflow.unresolved)
    if (!uses.has(name)) uses.set(name, [{ kind, usedBy }])
  return Object.fromEntries(
    [...uses].flatMap(([name, [first, ...also]]) =>
      first === undefined ? [] : [[name, also.length === 0 ? first : { ...first, also }]],
    ),
  )
}

const nodeKinds = { FunctionNode: "node", RouterNode: "router", ToolNode: "tool" } as const

const isCodeNode = (agent: AgentNode): agent is CodeNode | FunctionToolNode =>
  Object.hasOwn(nodeKinds, agent.type)

const callbacksOf = (hooks: Hooks): readonly (readonly [name: string, kind: Kind])[] =>
  Object.values(hooks).flatMap((uses: readonly HookUse[]) =>
    uses.map((use) => [serviceOfHook(use), "callback"] as const),
  )

/**
 * Returns the callbacks that run before and after the nodes of a graph, as pairs of name and kind.
 */
const nodeCallbacksOf = ({
  nodeOptions,
}: WorkflowGraphNode): readonly (readonly [name: string, kind: Kind])[] =>
  [...nodeOptions.values()].flatMap(({ options: { beforeNode = [], afterNode = [] } }) =>
    callbacksOf({ beforeAgent: beforeNode, afterAgent: afterNode }),
  )

function namesOf(
  agent: AgentNode,
  { tools }: WorkflowTree,
): readonly (readonly [name: string, kind: Kind])[] {
  if (isCodeNode(agent)) return [[agent.service, nodeKinds[agent.type]]]
  if (
    agent.type === "HumanAgent" ||
    agent.type === "WorkflowAgent" ||
    agent.type === "WaitAgent" ||
    agent.type === "JoinNode"
  )
    return []
  if (agent.type !== "LlmAgent") {
    const callbacks = [
      ...callbacksOf(agent.hooks ?? {}),
      ...(agent.type === "Workflow" ? nodeCallbacksOf(agent) : []),
    ]
    if (agent.type === "MachineAgent") return [[agent.service, "machine"], ...callbacks]
    return agent.type === "CustomAgent" ? [[agent.service, "agent"], ...callbacks] : callbacks
  }
  const {
    hooks = {},
    policies = [],
    instructionService,
    globalInstructionService,
  } = agent.adk ?? {}
  const functions = agent.tools.flatMap((id): readonly (readonly [string, Kind])[] => {
    const tool = tools.get(id)
    if (tool?.type === "Toolset") return [[tool.service, "toolset"]]
    return tool?.type === "FunctionTool" ? [[tool.service, "tool"]] : []
  })
  return [
    ...(globalInstructionService === undefined
      ? []
      : [[globalInstructionService, "instruction"] as const]),
    ...(instructionService === undefined ? [] : [[instructionService, "instruction"] as const]),
    ...(agent.memoryService === null ? [] : [[agent.memoryService, "instruction"] as const]),
    ...callbacksOf(hooks),
    ...[...(agent.guardrails?.input ?? []), ...(agent.guardrails?.output ?? [])].flatMap(
      ({ service }) => (service === null ? [] : [[service, "guardrail"] as const]),
    ),
    ...policies.map((name) => [name, "policy"] as const),
    ...functions,
  ]
}
