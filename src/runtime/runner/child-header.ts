import type { ErrorCode } from "../../errors.js"
import { AgentStatechartsError } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { taskGraphOf } from "../../machines/contract/graphs/task-graph-of.js"
import type { CallingRun, WorkflowRequest } from "../../machines/workflow-agent/workflow-call.js"
import { workflowNamed } from "../../machines/workflow-agent/called-charts.js"
import { childRunId } from "../../machines/workflow-agent/workflow-call.js"
import type { Clock } from "../driver/host.js"
import type { CallServices } from "../host/call-services.js"
import type { JournalHeader } from "../journal/journal.js"
import { newRun } from "../run/new-run.js"

/**
 * Maximum number of runs above a child run: the run that calls it, the run that calls this run, and
 * so on.
 */
const maxDepth = 10

interface HeaderParts {
  readonly clock: Clock
  readonly services: CallServices
}

type CallerHeader = Pick<JournalHeader, "chart" | "calledBy" | "about" | "policies">

/**
 * Creates the journal header of a new child run. Throws if the workflow is not registered, or if
 * workflow calls are nested too deeply.
 */
export function childHeader(
  { clock, services }: HeaderParts,
  parent: CallerHeader,
  request: WorkflowRequest,
): JournalHeader {
  const { agent, workflow, prompt, input, limits, path, runId } = request
  const chart = chartOf(parent.chart, workflow, services)
  const depth = (parent.calledBy?.depth ?? 0) + 1
  if (chart === undefined)
    throw refusal(
      "service_missing",
      `agent "${agent}" needs the workflow "${workflow}", which is not registered in "workflows" of the runner`,
    )
  if (depth > maxDepth)
    throw refusal(
      "call_depth_exceeded",
      `agent "${agent}" cannot call the workflow "${workflow}", because calls may only be nested ${maxDepth} levels deep; check whether workflows call each other without end`,
    )
  const isGraph = taskGraphOf(chart) !== null
  if (isGraph && limits !== undefined)
    throw refusal(
      "input_refused",
      `agent "${agent}" calls the graph "${workflow}" with maxModelCalls or a budget, which graphs do not have; set the limits on its adk nodes, or use maxDuration`,
    )
  const calledBy: CallingRun = {
    runId,
    path,
    depth,
    ...(limits !== undefined && { limits }),
  }
  return {
    ...newRun(chart, isGraph ? { context: input } : { prompt, state: input }, {
      runId: childRunId(request),
      at: clock.now(),
      policies: parent.policies ?? null,
    }),
    calledBy,
    ...(parent.about !== undefined && { about: parent.about }),
  }
}

/**
 * Returns the chart of the workflow with this name, or undefined if it is not registered. Looks in
 * the chart of the caller first, then in the charts of its graph nodes, and then in the registered
 * workflows.
 */
function chartOf(
  caller: AgentChart,
  workflow: string,
  services: CallServices,
): AgentChart | undefined {
  const { workflows, charts = {} } = caller
  return workflowNamed(workflow, [
    workflows,
    ...Object.values(charts).map((inner) => inner.workflows),
    services.workflows,
  ])
}

export const refusal = (code: ErrorCode, message: string): AgentStatechartsError =>
  new AgentStatechartsError(code, message)
