import type {
  CallToolResult,
  ClientCapabilities,
  McpRequestContext,
  Server,
  ServerContext,
} from "@modelcontextprotocol/server"
import * as z from "zod"
import { tasksExtension } from "../../../adapters/tool/mcp/tasks-extension.js"
import { isReportedError } from "../../../serving/http-error.js"
import type { RunHub } from "../../../serving/run-hub.js"
import { answersIn } from "./mcp-elicitation.js"
import type { McpPackage } from "./mcp-package.js"
import { resultOf } from "./mcp-result.js"
import {
  listedTask,
  pollIntervalMs,
  resumedDetails,
  type RunTask,
  taskStateOf,
} from "./run-task.js"

interface TaskParts {
  readonly sdk: McpPackage
  readonly runs: RunHub
  readonly era: McpRequestContext["era"]
  readonly capabilitiesOf: (request: ServerContext["mcpReq"]) => ClientCapabilities | undefined
}

/** The part of an MCP server that executes workflow calls as MCP tasks. */
export interface McpTasks {
  /** Returns whether the call of a workflow tool must be executed as an MCP task. */
  isTask(params: object, request: ServerContext["mcpReq"]): boolean
  /**
   * Returns the response with the MCP task that executes a workflow call. `runId` is the run of the
   * task. An earlier call with the same idempotency key may have started this run.
   */
  created(runId: string, request: ServerContext["mcpReq"]): Promise<CallToolResult>
}

/**
 * Returns the MCP capabilities of a server that executes workflow calls as tasks. `era` is the
 * version of the protocol that the client uses.
 */
export const taskCapabilities = (era: McpRequestContext["era"]) =>
  era === "modern"
    ? { extensions: { [tasksExtension]: {} } }
    : { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }

const anything = z.looseObject({})
const ofTask = z.looseObject({ taskId: z.string() })
const ofPage = z.looseObject({ cursor: z.string().optional() })

/** Number of tasks in one response to the MCP request `tasks/list`. */
const pageSize = 100

/**
 * Adds the handlers of MCP task requests to a server. Each task is a run, so it is stored in the
 * journal and does not expire. The two versions of the protocol have different requests.
 */
export function addTasks(server: Server, { sdk, runs, era, capabilitiesOf }: TaskParts): McpTasks {
  const isModern = era === "modern"

  /** Converts errors that the client caused, for example an unknown id, to MCP protocol errors. */
  const reported = async <Value>(answer: Promise<Value>): Promise<Value> => {
    try {
      return await answer
    } catch (error) {
      if (!isReportedError(error)) throw error
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, error.message)
    }
  }

  /**
   * Returns a task with its time to live and its poll interval. The names of these two fields
   * depend on the version of the MCP protocol.
   */
  const taskFields = (task: RunTask) =>
    isModern
      ? { ...task, ttlMs: null, pollIntervalMs }
      : { ...task, ttl: null, pollInterval: pollIntervalMs }

  const stateOf = async (taskId: string, request: ServerContext["mcpReq"]) =>
    taskStateOf(await resumedDetails(runs, taskId), capabilitiesOf(request), sdk)

  const answer = async (taskId: string, responses: Readonly<Record<string, unknown>>) => {
    const { pending } = await resumedDetails(runs, taskId)
    const open = Object.entries(responses).filter(([key]) => pending.some(({ id }) => id === key))
    const messages = answersIn(Object.fromEntries(open), pending, sdk)
    for (const message of messages) await runs.give(taskId, message)
    return messages.length
  }

  const cancel = async (taskId: string): Promise<void> => {
    const { result } = await runs.details(taskId)
    if (result.status === "running" || result.status === "waiting")
      await runs.give(taskId, { type: "cancel" })
  }

  const handle = <Params>(
    method: string,
    params: z.ZodType<Params>,
    respond: (params: Params, request: ServerContext["mcpReq"]) => Promise<object>,
  ): void =>
    server.setRequestHandler(method, { params, result: anything }, async (read, { mcpReq }) => {
      if (isModern && !hasExtension(capabilitiesOf(mcpReq)))
        throw new sdk.MissingRequiredClientCapabilityError({
          requiredCapabilities: { extensions: { [tasksExtension]: {} } },
        })
      return { ...(await reported(respond(read, mcpReq))) }
    })

  handle("tasks/get", ofTask, async ({ taskId }, request) => {
    const { task, result, inputRequests } = await stateOf(taskId, request)
    if (!isModern) return taskFields(task)
    return {
      ...taskFields(task),
      ...(result !== null && {
        result: { ...server.projectCallToolResult(result, undefined), resultType: "complete" },
      }),
      ...(inputRequests !== null && { inputRequests }),
    }
  })
  handle("tasks/cancel", ofTask, async ({ taskId }, request) => {
    await cancel(taskId)
    return isModern ? {} : taskFields((await stateOf(taskId, request)).task)
  })
  if (isModern)
    handle("tasks/update", ofTask, async ({ taskId }, { inputResponses = {} }) => {
      await answer(taskId, inputResponses)
      return {}
    })
  else {
    handle("tasks/result", ofTask, async ({ taskId }, request) => {
      const result = await endOf(taskId, request)
      return { ...result, _meta: { [sdk.RELATED_TASK_META_KEY]: { taskId } } }
    })
    handle("tasks/list", ofPage, async ({ cursor = "0" }, request) => {
      const start = Number(cursor)
      if (!Number.isSafeInteger(start) || start < 0)
        throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, "the cursor is invalid")
      const all = await runs.list()
      const page = all.slice(start, start + pageSize)
      const next = start + page.length
      return {
        tasks: page.map((run) => taskFields(listedTask(run, capabilitiesOf(request)))),
        ...(next < all.length && { nextCursor: String(next) }),
      }
    })
  }

  /**
   * Waits until an MCP task has ended, and returns its result. If the run needs input before,
   * requests this input from the client.
   */
  const endOf = async (
    taskId: string,
    request: ServerContext["mcpReq"],
  ): Promise<CallToolResult> => {
    for (;;) {
      const { isHere } = await resumedDetails(runs, taskId)
      const live = isHere ? await runs.ensureLive(taskId) : null
      if (live !== null) for await (const _ of live.eventsUntilSettled(0, request.signal));
      const { task, result, inputRequests } = await stateOf(taskId, request)
      if (result !== null) return result
      if (inputRequests === null && task.status !== "working")
        throw new sdk.ProtocolError(
          sdk.ProtocolErrorCode.InvalidParams,
          `the task "${taskId}" was cancelled and has no result`,
        )
      request.signal.throwIfAborted()
      if (inputRequests === null) {
        // Another process executes the run, so its end cannot be awaited.
        await new Promise((resolve) => setTimeout(resolve, pollIntervalMs))
        continue
      }
      const responses: Record<string, unknown> = {}
      for (const [key, { method, params }] of Object.entries(inputRequests)) {
        const related = { [sdk.RELATED_TASK_META_KEY]: { taskId } }
        const asked = { method, params: { ...params, _meta: related } }
        responses[key] = await request.send(asked, anything, { signal: request.signal })
      }
      // If the user has dismissed all forms, they are not shown again.
      if ((await answer(taskId, responses)) === 0) return resultOf(await runs.details(taskId))
    }
  }

  return {
    isTask: (params, request) =>
      isModern
        ? hasExtension(capabilitiesOf(request))
        : "task" in params && params.task !== undefined,
    async created(runId, request) {
      const { task } = await stateOf(runId, request)
      const fields = taskFields(task)
      return {
        content: [],
        ...(isModern ? { resultType: "task", ...fields } : { task: fields }),
      }
    },
  }
}

const hasExtension = (capabilities: ClientCapabilities | undefined): boolean =>
  capabilities?.extensions?.[tasksExtension] !== undefined
