import type { ChartNodeOptions, NodeRetry } from "../../machines/contract/chart-graph.js"
import type { HookUse } from "../../machines/contract/hook-use.js"
import type {
  AgentNode,
  FunctionToolNode,
  GraphEdge,
  GraphNodeOptions,
  WorkflowGraphNode,
} from "../2-resolve/agent-node.js"
import { start } from "./graph-draft.js"
import { definedFields, hookYaml } from "./yaml-fields.js"

/**
 * Returns the fields of a Workflow in the Agent Config format, including the definitions of its
 * nodes. The order of the edges is preserved, because it determines the order of triggers and the
 * inputs of joins.
 */
export function graphYaml(
  { subAgents, edges, maxIterations, triggering, maxConcurrency, nodeOptions }: WorkflowGraphNode,
  inside: (child: AgentNode) => Record<string, unknown>,
): Record<string, unknown> {
  const nameOf = (index: number): string => subAgents[index]?.id ?? start.node
  const options = Object.entries(Object.fromEntries(nodeOptions)).map(
    ([id, one]) => [id, optionsYaml(one)] as const,
  )
  return {
    ...(triggering === "each" && { triggering }),
    max_cycles: maxIterations,
    ...definedFields({ max_concurrency: maxConcurrency }),
    edges: edges.map((edge) => edgeYaml(edge, nameOf)),
    ...(options.length > 0 && { node_options: Object.fromEntries(options) }),
    nodes: subAgents.map(inside),
  }
}

function edgeYaml(
  { from, to, route, otherwise }: GraphEdge,
  nameOf: (index: number) => string,
): unknown {
  const [source, target] = [nameOf(from), nameOf(to)]
  return route === null && !otherwise
    ? [source, target]
    : { from: source, to: target, route: route ?? "default" }
}

function optionsYaml({ options, isWorker }: GraphNodeOptions): Record<string, unknown> {
  const { retry, timeoutMs, beforeNode, afterNode, ...others }: ChartNodeOptions = options
  return {
    ...definedFields({
      retry_config: retry === undefined ? null : retryYaml(retry),
      timeout: timeoutMs === undefined ? null : timeoutMs / 1000,
      rerun_on_resume: others.rerunOnResume,
      wait_for_output: others.waitForOutput,
      input_schema: others.inputSchema,
      output_schema: others.outputSchema,
      state_schema: others.stateSchema,
      parallel_worker: isWorker ? true : null,
      max_parallel_workers: others.maxParallelWorkers,
      task: others.task,
      sees_conversation: others.seesConversation,
      returns_node_result: others.returnsNodeResult,
      before_node_callbacks: hooksOf(beforeNode),
      after_node_callbacks: hooksOf(afterNode),
    }),
  }
}

const hooksOf = (hooks: readonly HookUse[] | undefined): unknown => hooks?.map(hookYaml) ?? null

const retryYaml = ({
  maxAttempts,
  initialDelayMs,
  maxDelayMs,
  backoffFactor,
  jitter,
  exceptions,
}: NodeRetry): Record<string, unknown> =>
  definedFields({
    max_attempts: maxAttempts,
    initial_delay: initialDelayMs / 1000,
    max_delay: maxDelayMs / 1000,
    backoff_factor: backoffFactor,
    jitter,
    exceptions,
  })

/**
 * Returns the fields of a ToolNode in the Agent Config format. A ToolNode is a graph node that
 * calls the host function of a tool.
 */
export function toolNodeYaml(
  { id, service, parameters, requireConfirmation }: FunctionToolNode,
  note: (text: string) => void,
): Record<string, unknown> {
  if (parameters !== null || requireConfirmation)
    note(
      `Declare the parameters and the confirmation of the tool of "${id}" where you register the function "${service}".`,
    )
  return { tool_code: service }
}
