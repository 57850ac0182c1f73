import type {
  Message,
  SendMessageRequest,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk"
import type { A2ARequestHandler } from "@a2a-js/sdk/server"
import { isJsonObject } from "../../../machines/data/json-object.js"
import type { LiveRun } from "../../../serving/live-run.js"
import { errorCodeOf, isReportedError } from "../../../serving/http-error.js"
import type { RunDetails } from "../../../serving/run-details.js"
import type { RunHub } from "../../../serving/run-hub.js"
import type { ServedWorkflow } from "../../workflows/served-workflows.js"
import { isRunOf } from "../../workflows/served-workflows.js"
import type { StartRun } from "../../runs/start-run.js"
import type { A2aPackage } from "./a2a-messages.js"
import { a2aTasks, contextIdOf, messageFor, messageContent } from "./a2a-messages.js"
import type { PushConfigs } from "./a2a-push.js"
import { listTasks } from "./a2a-task-list.js"
import { runIdFor } from "./message-run-id.js"

/** Dependencies of the handler for the A2A requests of one workflow. */
export interface A2aParts {
  readonly sdk: A2aPackage
  readonly errors: typeof import("@a2a-js/sdk/errors")
  readonly workflow: ServedWorkflow
  readonly runs: RunHub
  readonly start: StartRun
  /**
   * Push notification configs of the workflow's tasks. Null if the server does not support push
   * notifications.
   */
  readonly push: PushConfigs | null
  readonly card: Awaited<ReturnType<A2ARequestHandler["getAgentCard"]>>
  /**
   * Signal that is aborted when the client of the request disconnects. The response stream then
   * ends, but the run continues.
   */
  readonly disconnected: AbortSignal
}

/**
 * Creates a handler for the A2A requests of one workflow. Each A2A task is a run, so a task is as
 * durable as a run.
 */
export function a2aHandler({
  sdk,
  errors,
  workflow,
  runs,
  start,
  disconnected,
  push,
  card,
}: A2aParts): A2ARequestHandler {
  const tasks = a2aTasks(sdk)

  const detailsOf = async (id: string): Promise<RunDetails> => {
    const found = (await runs.has(id)) ? await runs.details(id) : null
    if (found === null || !isRunOf(workflow, found))
      throw new errors.TaskNotFoundError(`the task "${id}" does not exist`)
    return found
  }

  /**
   * Handles an A2A message. A message without a task id starts a run. Any other message is sent to
   * the run of its task.
   */
  const handleMessage = async ({
    message,
    configuration,
  }: SendMessageRequest): Promise<{ readonly live: LiveRun; readonly from: number }> => {
    if (message === undefined)
      throw new errors.RequestMalformedError("the field message is missing")
    const config = configuration?.taskPushNotificationConfig
    if (config !== undefined) pushConfigs().check(config)
    if (message.taskId !== "") {
      const answered = await answerTask(message)
      if (config !== undefined) await addConfig(config, message.taskId)
      return answered
    }
    const { text, data } = messageContent(message)
    const about = {
      ...(message.contextId !== "" && { a2aContext: message.contextId }),
      ...(message.messageId !== "" && { a2aMessage: message.messageId }),
    }
    // Data parts become the initial state.
    const state = isJsonObject(data) ? { state: data } : {}
    const id = message.messageId === "" ? undefined : runIdFor(message, workflow)
    const runId = await start(workflow, {
      ...(id !== undefined && { runId: id }),
      ...(text !== "" && { prompt: text }),
      ...state,
      about,
    }).catch((error: unknown) => {
      // The run exists already, because the client has sent the same message twice.
      if (id !== undefined && isReportedError(error) && errorCodeOf(error) === "run_exists")
        return id
      throw error
    })
    if (config !== undefined) await addConfig(config, runId)
    return { live: await runs.ensureLive(runId), from: 0 }
  }

  const pushConfigs = (): PushConfigs => {
    if (push === null)
      throw new errors.PushNotificationNotSupportedError(
        "this server does not support push notifications",
      )
    return push
  }

  const addConfig = async (
    config: TaskPushNotificationConfig,
    taskId: string,
  ): Promise<TaskPushNotificationConfig> => pushConfigs().create(config, await detailsOf(taskId))

  const answerTask = async (
    message: Message,
  ): Promise<{ readonly live: LiveRun; readonly from: number }> => {
    const { runId, pending } = await detailsOf(message.taskId)
    const live = await convertErrors(() => runs.ensureLive(runId))
    const from = live.events.length
    await convertErrors(() => runs.give(runId, messageFor(message, pending)))
    return { live, from }
  }

  /**
   * Executes an operation. If the state of the run does not allow the operation, throws the
   * corresponding A2A error.
   */
  const convertErrors = async <Value>(operation: () => Promise<Value>): Promise<Value> => {
    try {
      return await operation()
    } catch (error) {
      if (isReportedError(error)) throw new errors.UnsupportedOperationError(error.message)
      throw error
    }
  }

  async function* follow(
    live: LiveRun,
    from: number,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const taskId = live.run.runId
    const started = await runs.details(taskId)
    const contextId = contextIdOf(started)
    const ids = { taskId, contextId, metadata: undefined }
    const working = {
      state: sdk.TaskState.TASK_STATE_WORKING,
      timestamp: new Date(started.startedAt).toISOString(),
    }
    yield {
      payload: {
        $case: "task",
        value: {
          ...tasks.task(started),
          status: { ...working, message: undefined },
          artifacts: [],
        },
      },
    }
    for await (const event of live.eventsUntilSettled(from, disconnected)) {
      const message = event.type === "model.responded" ? tasks.message(event, contextId) : null
      if (message !== null)
        yield {
          payload: {
            $case: "statusUpdate",
            value: {
              ...ids,
              status: {
                state: working.state,
                message,
                timestamp: new Date(event.at).toISOString(),
              },
            },
          },
        }
    }
    const settled = await runs.details(taskId)
    for (const artifact of tasks.artifacts(settled))
      yield {
        payload: {
          $case: "artifactUpdate",
          value: { ...ids, artifact, append: false, lastChunk: true },
        },
      }
    yield { payload: { $case: "statusUpdate", value: { ...ids, status: tasks.status(settled) } } }
  }

  return {
    getAgentCard: async () => card,
    getAuthenticatedExtendedAgentCard: async () => card,
    async sendMessage(request): Promise<Task> {
      const { live } = await handleMessage(request)
      if (request.configuration?.returnImmediately !== true) await live.run.whenSettled()
      return tasks.task(await runs.details(live.run.runId), request.configuration?.historyLength)
    },
    async *sendMessageStream(request) {
      const { live, from } = await handleMessage(request)
      yield* follow(live, from)
    },
    getTask: async ({ id, historyLength }) => tasks.task(await detailsOf(id), historyLength),
    async cancelTask({ id }) {
      await detailsOf(id)
      try {
        await runs.give(id, { type: "cancel" })
      } catch (error) {
        if (isReportedError(error)) throw new errors.TaskNotCancelableError(error.message)
        throw error
      }
      return tasks.task(await runs.details(id))
    },
    async *resubscribe({ id }) {
      const { runId, events } = await detailsOf(id)
      const live = await convertErrors(() => runs.ensureLive(runId))
      yield* follow(live, events.length)
    },
    listTasks: (request) => listTasks(request, { sdk, errors, workflow, runs, tasks }),
    createTaskPushNotificationConfig: (config) => addConfig(config, config.taskId),
    getTaskPushNotificationConfig: async ({ taskId, id }) =>
      pushConfigs().get((await detailsOf(taskId)).runId, id),
    listTaskPushNotificationConfigs: async ({ taskId }) => ({
      configs: await pushConfigs().list((await detailsOf(taskId)).runId),
      nextPageToken: "",
    }),
    deleteTaskPushNotificationConfig: async ({ taskId, id }) =>
      pushConfigs().delete((await detailsOf(taskId)).runId, id),
  }
}
