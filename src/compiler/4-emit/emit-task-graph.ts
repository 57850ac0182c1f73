import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type {
  ChartLoop,
  ChartTask,
  ChartTaskGraph,
  ChartTaskWorkflow,
} from "../../machines/contract/graphs/chart-task-graph.js"
import type { Activity } from "../../machines/contract/activity.js"
import type { ChartMachine } from "../../machines/contract/chart-machine.js"
import { withoutNulls } from "../../machines/data/without-nulls.js"
import type { NodeActivity } from "../1-parse/config/task-values.js"
import { defaultActivity } from "../1-parse/fields/activity-config.js"
import { defaultSettings } from "../2-resolve/settings.js"
import type { IndexedTask } from "../2-resolve/task-graph/indexed-tasks.js"
import type { TaskGraphTree, TaskLevel, TaskNode } from "../2-resolve/task-graph/task-tree.js"
import { emitChart, fingerprintOf } from "./emit-chart.js"
import type { EmitOptions } from "./state-position.js"

/**
 * Generates the chart of a Graph Compose graph. It contains the workflow of each `adk` node as a
 * separate chart.
 */
export function emitTaskGraph(tree: TaskGraphTree, options: EmitOptions): AgentChart {
  const charts: Record<string, AgentChart> = {}
  const graph: ChartTaskGraph = {
    nodes: emitLevel(tree.level, tree, charts, options),
    ...withoutNulls({ webhookUrl: tree.webhookUrl }),
  }
  const {
    subAgentExitFlow: _agentsOnly,
    maxDuration: _emitted,
    budget: _none,
    ...limits
  } = defaultSettings
  const chart = {
    formatVersion: 1 as const,
    id: tree.id,
    dialect: "graph-compose" as const,
    root: tree.id,
    machines: { [tree.id]: emitRoot(tree, graph) },
    agents: {},
    tools: {},
    settings: { ...limits, ...withoutNulls({ maxDurationMs: tree.timeoutMs }) },
    input: { prompt: null, state: {} },
    context: tree.context,
    ...(Object.keys(charts).length > 0 && { charts }),
  }
  return { ...chart, fingerprint: fingerprintOf(chart) }
}

/**
 * Generates the root machine of a Graph Compose graph, which has one state that invokes the machine
 * `taskGraph`.
 */
function emitRoot(
  { id, timeoutMs: ms, webhookUrl }: TaskGraphTree,
  graph: ChartTaskGraph,
): ChartMachine {
  const place = "nodes"
  const target = (state: string): string => `#${id}.${state}`
  const keepWrites = { type: "keepWrites", params: { place } }
  const apply = { type: "applyResult", params: { place } }
  const final = (signal: string) => ({
    type: "final" as const,
    entry: [{ type: "finishMachine", params: { signal } }],
  })
  return {
    id,
    initial: "boot",
    meta: { kind: "orchestration", agent: id },
    on: {
      "run.stopped": [
        webhookUrl === null
          ? { target: target("stopped"), actions: [{ type: "stopRun" }] }
          : // The run ends after its graph, which posts the end of the run to the webhook.
            { actions: [{ type: "stopRun" }, ...(ms === null ? [] : [{ type: "stopDeadline" }])] },
      ],
      "child.paused": [{ actions: [{ type: "notePause" }] }],
      "child.resumed": [{ actions: [{ type: "noteResume" }] }],
      ...(ms !== null && {
        "xstate.done.actor.deadline": [{ actions: [{ type: "passDeadline", params: { ms } }] }],
      }),
    },
    states: {
      boot: {
        always: [
          {
            target: target(place),
            ...(ms !== null && { actions: [{ type: "startDeadline", params: { ms } }] }),
          },
        ],
      },
      [place]: {
        meta: {
          agent: id,
          kind: "TaskGraph",
          place,
          path: id,
          loops: [],
          scope: "",
          branch: null,
        },
        tags: ["taskGraph"],
        invoke: {
          id: place,
          src: "taskGraph",
          input: { place, graph },
          onDone: [
            { guard: { type: "completed" }, target: target("done"), actions: [apply] },
            {
              guard: { type: "stopped" },
              ...(webhookUrl !== null && { target: target("stopped") }),
              actions: [keepWrites],
            },
            { target: target("failed"), actions: [apply] },
          ],
        },
      },
      done: final("done"),
      failed: final("failed"),
      stopped: final("stopped"),
    },
  }
}

const emitLevel = (
  level: TaskLevel,
  tree: TaskGraphTree,
  charts: Record<string, AgentChart>,
  options: EmitOptions,
): readonly ChartTask[] => level.map((node) => emitTask(node, tree, charts, options))

function emitTask(
  node: TaskNode,
  tree: TaskGraphTree,
  charts: Record<string, AgentChart>,
  options: EmitOptions,
): ChartTask {
  const { config, dependencies, protects, continueTo, body } = node
  const { id, type } = config
  const loop =
    body === null ? null : emitChartLoop(config, emitLevel(body, tree, charts, options), tree)
  return {
    id,
    type,
    dependencies,
    ...("http" in config && withoutNulls({ endpoint: config.http, activity: activityOf(config) })),
    ...(config.strict && { strict: true as const }),
    ...(config.type === "http" && httpFields(config)),
    ...(continueTo.length > 0 && { continueTo }),
    ...(type === "error_boundary" && { protects }),
    ...withoutNulls({ loop }),
    ...(config.type === "adk" && { workflow: emitWorkflow(config, node, charts, options) }),
    ...(config.type === "confirmation" &&
      withoutNulls({ expiresInMs: config.activityConfig?.activity.scheduleToCloseMs ?? null })),
  }
}

function httpFields({
  outputMapping,
  validation,
  conditions,
}: Extract<IndexedTask, { type: "http" }>): Partial<ChartTask> {
  return withoutNulls({
    outputMapping,
    validation: validation && withoutNulls({ input: validation.input, output: validation.output }),
    pollUntil: filled(conditions?.pollUntil),
    terminateWhen: filled(conditions?.terminateWhen),
  })
}

const filled = (list: readonly string[] | null | undefined): readonly string[] | null =>
  list == null || list.length === 0 ? null : list

/** Default maximum number of attempts of a graph node with `pollUntil`. */
const pollAttempts = 100

/**
 * Returns the timeouts and retries of a graph node that sends a request. Returns null if they are
 * not set and the node has no `pollUntil`.
 */
function activityOf(config: IndexedTask): Activity | null {
  const given: NodeActivity | null = "activityConfig" in config ? config.activityConfig : null
  const polls = config.type === "http" && filled(config.conditions?.pollUntil) !== null
  if (!polls) return given?.activity ?? null
  const activity = given?.activity ?? defaultActivity
  return given?.setsAttempts === true ? activity : { ...activity, maximumAttempts: pollAttempts }
}

function emitChartLoop(
  config: IndexedTask,
  nodes: readonly ChartTask[],
  { timeoutMs }: TaskGraphTree,
): ChartLoop {
  if (config.type !== "forEach") return { body: { nodes }, ...withoutNulls({ timeoutMs }) }
  const { config: settings, forEach } = config
  const child = settings?.childWorkflowConfig ?? null
  const retry = child?.retry ?? null
  return {
    body: { nodes },
    ...withoutNulls({
      items: forEach?.items ?? null,
      concurrency: settings?.concurrency ?? null,
      continueOnError: settings?.continueOnError === true ? (true as const) : null,
      maxFailures: settings?.continueOnError === true ? settings.maxFailures : null,
      timeoutMs: child?.workflowExecutionTimeout ?? timeoutMs,
      retry: retry && { ...defaultActivity, ...retry },
    }),
  }
}

/**
 * Generates the chart of the workflow in an adk node. The timeouts are not part of this chart. They
 * are returned as fields of the node.
 */
function emitWorkflow(
  { id, activityConfig }: Extract<IndexedTask, { type: "adk" }>,
  { workflow }: TaskNode,
  charts: Record<string, AgentChart>,
  options: EmitOptions,
): ChartTaskWorkflow {
  if (workflow === null) throw new TypeError(`the adk node "${id}" has no workflow`)
  const { settings, input } = workflow
  charts[id] = emitChart(
    {
      ...workflow,
      node: id,
      settings: { ...settings, maxDuration: null },
      input: { prompt: null, state: {} },
    },
    options,
  )
  const { startToCloseMs, scheduleToCloseMs } = activityConfig?.activity ?? defaultActivity
  const timeouts = [startToCloseMs, scheduleToCloseMs].filter((ms) => ms !== null)
  return {
    chart: id,
    prompt: input.prompt,
    state: input.state,
    ...withoutNulls({
      timeoutMs: timeouts.length === 0 ? null : Math.min(...timeouts),
      maxDurationMs: settings.maxDuration,
    }),
  }
}
