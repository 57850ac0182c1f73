import type { ListTasksRequest, ListTasksResponse, TaskState } from "@a2a-js/sdk"
import type { HubRun } from "../../../serving/run-details.js"
import type { RunHub } from "../../../serving/run-hub.js"
import type { ServedWorkflow } from "../../workflows/served-workflows.js"
import { isRunOf } from "../../workflows/served-workflows.js"
import type { A2aPackage, A2aTasks } from "./a2a-messages.js"
import { contextIdOf } from "./a2a-messages.js"

const defaultPageSize = 50
const maxPageSize = 100

/** Maximum number of runs that one request for a task list reads from the journal. */
const maxRead = 1000

interface ListParts {
  readonly sdk: A2aPackage
  readonly errors: typeof import("@a2a-js/sdk/errors")
  readonly workflow: ServedWorkflow
  readonly runs: RunHub
  readonly tasks: A2aTasks
}

/**
 * Position in a list of A2A tasks that is sorted by time. It contains the time at which a task last
 * changed, in milliseconds since the epoch, and the id of this task.
 */
interface Cursor {
  readonly time: number
  readonly id: string
}

/**
 * Returns one page of a workflow's A2A tasks. The task that changed last comes first. A request
 * reads at most 1,000 runs from the journal, so a page may contain fewer tasks than requested. The
 * next page continues after the last run that was read.
 *
 * @throws RequestMalformedError if the page size or the page token is invalid
 */
export async function listTasks(
  request: ListTasksRequest,
  { sdk, errors, workflow, runs, tasks }: ListParts,
): Promise<ListTasksResponse> {
  const pageSize = request.pageSize ?? defaultPageSize
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > maxPageSize)
    throw new errors.RequestMalformedError(
      `pageSize must be a whole number from 1 to ${maxPageSize}`,
    )
  const after = request.pageToken === "" ? null : readCursor(request.pageToken)
  if (request.pageToken !== "" && after === null)
    throw new errors.RequestMalformedError("the pageToken is not one of this list")
  const since =
    request.statusTimestampAfter === undefined ? null : Date.parse(request.statusTimestampAfter)
  if (since !== null && Number.isNaN(since))
    throw new errors.RequestMalformedError("statusTimestampAfter must be a time in ISO 8601")
  const state = request.status === sdk.TaskState.TASK_STATE_UNSPECIFIED ? null : request.status
  const listed = (await runs.list())
    .filter(
      (run) =>
        run.chart === workflow.chart.id &&
        (since === null || changedAt(run) >= since) &&
        (state === null || mayBeIn(run, state, sdk)),
    )
    .map((run) => ({ run, cursor: { time: changedAt(run), id: run.runId } }))
    .sort((one, other) => compare(one.cursor, other.cursor))
  const found: ListTasksResponse["tasks"] = []
  let read = 0
  let last: Cursor | null = null
  for (const { run, cursor } of listed) {
    if (after !== null && compare(cursor, after) <= 0) continue
    if (found.length === pageSize || read === maxRead)
      return { tasks: found, nextPageToken: writeCursor(last), pageSize, totalSize: listed.length }
    read++
    last = cursor
    const details = await runs.details(run.runId)
    if (!isRunOf(workflow, details)) continue
    if (request.contextId !== "" && contextIdOf(details) !== request.contextId) continue
    const task = tasks.task(details, request.historyLength ?? 0)
    if (state !== null && task.status?.state !== state) continue
    found.push(request.includeArtifacts === true ? task : { ...task, artifacts: [] })
  }
  return { tasks: found, nextPageToken: "", pageSize, totalSize: listed.length }
}

const changedAt = ({ settledAt, startedAt }: HubRun): number => settledAt ?? startedAt

/** Compares two positions in the list of A2A tasks, to sort them from the newest to the oldest. */
const compare = (one: Cursor, other: Cursor): number =>
  other.time - one.time || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)

/**
 * Returns whether a run with this status can have an A2A task in `state`. This is a fast filter.
 * The exact task state is computed from the details of the run.
 */
function mayBeIn({ status }: HubRun, state: TaskState, { TaskState: states }: A2aPackage): boolean {
  switch (state) {
    case states.TASK_STATE_COMPLETED:
      return status === "completed"
    case states.TASK_STATE_CANCELED:
      return status === "cancelled"
    case states.TASK_STATE_FAILED:
      return status === "failed" || status === "limit"
    case states.TASK_STATE_INPUT_REQUIRED:
    case states.TASK_STATE_AUTH_REQUIRED:
      return status === "waiting"
    case states.TASK_STATE_WORKING:
      return status === "running" || status === "interrupted"
    default:
      return false
  }
}

const writeCursor = (cursor: Cursor | null): string =>
  cursor === null ? "" : Buffer.from(`${cursor.time} ${cursor.id}`).toString("base64url")

function readCursor(token: string): Cursor | null {
  const [, time, id] = /^(\d+) (.+)$/s.exec(Buffer.from(token, "base64url").toString()) ?? []
  return time === undefined || id === undefined ? null : { time: Number(time), id }
}
