import type { Hooks } from "../../machines/contract/agent-definition.js"
import type { HookUse } from "../../machines/contract/hook-use.js"
import type {
  AgentNode,
  LlmAgentNode,
  Position,
  ResolvedTool,
  WorkflowTree,
} from "../2-resolve/agent-node.js"
import { snakeCase } from "../diagnostics/naming.js"
import { graphYaml, toolNodeYaml } from "./graph-yaml.js"
import { definedFields, hookYaml } from "./yaml-fields.js"

/**
 * Returns the content of an agent's YAML file in the Agent Config format, including its nested
 * agents. `note` is called with each feature that the file cannot express.
 */
export function agentYaml(
  agent: AgentNode,
  workflow: WorkflowTree,
  note: (text: string) => void,
): Record<string, unknown> {
  const inside = (child: AgentNode) => agentYaml(child, workflow, note)
  const who = {
    agent_class: agent.type,
    name: agent.id,
    ...definedFields({ description: agent.description }),
  }
  const callbacks = "hooks" in agent ? hooksYaml(agent.hooks) : {}
  switch (agent.type) {
    case "LlmAgent":
      return llmAgentYaml(agent, workflow, note)
    case "HumanAgent":
      return {
        ...who,
        ...definedFields({
          prompt: agent.prompt,
          choices: agent.choices,
          show: agent.show,
          output_key: agent.outputKey,
        }),
      }
    case "CustomAgent":
      return {
        agent_class: agent.service,
        name: agent.id,
        ...definedFields({ description: agent.description }),
        ...callbacks,
        ...some("sub_agents", agent.subAgents.map(inside)),
      }
    case "SequentialAgent":
      return {
        ...who,
        ...callbacks,
        ...definedFields({ output_key: agent.outputKey }),
        sub_agents: agent.subAgents.map((position) => positionYaml(position, inside)),
      }
    case "ParallelAgent":
      return {
        ...who,
        ...callbacks,
        ...definedFields({
          failure_policy: agent.failurePolicy === "fail-fast" ? null : agent.failurePolicy,
          max_concurrency: agent.maxConcurrency,
          completion: agent.completion === "all" ? null : agent.completion,
          on_escalate: agent.onEscalate === "finish" ? null : agent.onEscalate,
          for_each:
            agent.forEach === null
              ? null
              : {
                  items: agent.forEach.items,
                  as: agent.forEach.as,
                  collect: agent.forEach.collect,
                  max_items: agent.forEach.maxItems,
                },
        }),
        sub_agents: agent.subAgents.map((position) => positionYaml(position, inside)),
      }
    case "LoopAgent":
      return {
        ...who,
        ...callbacks,
        ...definedFields({
          max_iterations: agent.maxIterations,
          loop_exit_condition: agent.exitCondition,
          output_key: agent.outputKey,
        }),
        sub_agents: agent.subAgents.map((position) => positionYaml(position, inside)),
      }
    case "WaitAgent":
      return { ...who, ...definedFields({ duration: agent.durationMs, until: agent.until }) }
    case "WorkflowAgent":
      note(
        agent.remote === null
          ? `"${agent.id}" calls another workflow: copy its fields from your config. A workflowFile is relative to the file that contains it.`
          : `"${agent.id}" calls a remote agent: copy its fields from your config.`,
      )
      return who
    case "MachineAgent":
      note(`"${agent.id}" runs an XState machine: copy it from your config by hand.`)
      return who
    case "Workflow":
      return { ...who, ...callbacks, ...graphYaml(agent, inside) }
    case "FunctionNode":
    case "RouterNode":
      return { ...who, service: agent.service }
    case "ToolNode":
      return { ...who, ...toolNodeYaml(agent, note) }
    case "JoinNode":
      return who
  }
}

const positionYaml = (
  { agent, when }: Position,
  inside: (child: AgentNode) => Record<string, unknown>,
): Record<string, unknown> => ({
  ...inside(agent),
  ...definedFields({ when }),
})

function llmAgentYaml(
  agent: LlmAgentNode,
  workflow: WorkflowTree,
  note: (text: string) => void,
): Record<string, unknown> {
  const {
    id,
    description,
    model,
    endpoint,
    instructions,
    outputKey,
    tools,
    subAgents,
    disallowTransferToParent,
    disallowTransferToPeers,
    memoryService,
    adk,
  } = agent
  if (instructions !== null && /\{+\s*[\p{L}_][\p{L}\p{N}_]*\??\s*\}+/u.test(instructions)) {
    note(
      `The instructions of "${id}" contain names in braces. ADK replaces these with values from the state.`,
    )
  }
  return {
    agent_class: "LlmAgent",
    name: id,
    ...definedFields({
      description,
      model,
      http_config: endpoint,
      instruction:
        adk === null
          ? instructions
          : adk.instructionService === undefined
            ? adk.instruction
            : { service: adk.instructionService },
      static_instruction: adk?.staticInstruction,
      global_instruction: adk?.globalInstruction,
      include_contents: adk?.includeContents === "none" ? "none" : null,
      output_key: outputKey,
      output_schema: adk?.outputSchema,
      input_schema: adk?.inputSchema,
      structured_output_with_tools: adk?.structuredOutputWithTools === true ? true : null,
      generate_content_config: adk?.generateContentConfig,
      disallow_transfer_to_parent: disallowTransferToParent ? true : null,
      disallow_transfer_to_peers: disallowTransferToPeers ? true : null,
    }),
    ...hooksYaml(adk?.hooks ?? null),
    ...some("tools", [
      ...tools.flatMap((tool) => toolYaml(workflow.tools.get(tool), workflow, note)),
      ...(memoryService === null ? [] : [{ name: memoryService }]),
    ]),
    ...some(
      "sub_agents",
      subAgents.map((child) => agentYaml(child, workflow, note)),
    ),
  }
}

function toolYaml(
  tool: ResolvedTool | undefined,
  workflow: WorkflowTree,
  note: (text: string) => void,
): readonly unknown[] {
  switch (tool?.type) {
    case undefined:
      return []
    case "ExitLoopTool":
      note(
        "exit_loop does not end a cycle of a graph. Let the router of the cycle check what the agent wrote.",
      )
      return []
    case "FunctionTool":
    case "Toolset":
      return [{ name: tool.service }]
    case "AgentTool":
      return [
        {
          name: "AgentTool",
          args: {
            agent: agentYaml(tool.target, workflow, note),
            ...(tool.skipSummarization && { skip_summarization: true }),
          },
        },
      ]
    case "HttpTool":
      note(
        `The tool "${tool.id}" is an HTTP endpoint, which Agent Config does not support. Register a function under this name that calls ${tool.endpoint.url}.`,
      )
      return [{ name: tool.id }]
  }
}

const hooksYaml = (hooks: Hooks | null): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(hooks ?? {}).map(([moment, services]) => [
      `${snakeCase(moment)}_callbacks`,
      (services as readonly HookUse[]).map(hookYaml),
    ]),
  )

const some = (field: string, list: readonly unknown[]): Record<string, unknown> =>
  list.length === 0 ? {} : { [field]: list }
