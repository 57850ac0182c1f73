import type { TaskPushNotificationConfig } from "@a2a-js/sdk"
import type { HostRule } from "../../../adapters/http/client/host-rule.js"
import type { RunEvent } from "../../../machines/contract/run-event.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import type { RunDetails } from "../../../serving/run-details.js"
import type { RunHub } from "../../../serving/run-hub.js"
import type { Deliveries, OpenTarget } from "../../webhooks/deliveries.js"
import { messageIdOf } from "../../webhooks/outgoing-target.js"
import { defaultRetry, defaultTimeoutMs } from "../../webhooks/webhook.js"
import type { A2aPackage } from "./a2a-messages.js"
import { a2aTasks, contextIdOf } from "./a2a-messages.js"

/** Dependencies of A2A push notifications, which notify the URLs of clients. */
export interface PushParts {
  readonly deliveries: Deliveries
  /** Decides to which hosts clients may direct push notifications. */
  readonly rule: HostRule
}

/** Maximum number of push notification configs of one A2A task. */
const maxConfigs = 10

const receiverOf = (id: string): string => `a2a:${id}`

/**
 * Returns whether a run event causes a push notification. This is the case if the run needs input
 * or has ended.
 */
const isNotified = ({ type }: RunEvent): boolean =>
  type === "human.asked" || type === "user.awaited" || type === "run.finished"

/**
 * A push notification config in the store. It contains the fields of the client's request except
 * the task id.
 */
interface StoredConfig {
  readonly id: string
  readonly url: string
  readonly token: string
  readonly scheme: string
  readonly credentials: string
}

const storedConfig = (target: JsonObject): StoredConfig => {
  const text = (name: keyof StoredConfig): string => {
    const value = target[name]
    return typeof value === "string" ? value : ""
  }
  return {
    id: text("id"),
    url: text("url"),
    token: text("token"),
    scheme: text("scheme"),
    credentials: text("credentials"),
  }
}

/** Returns a function that creates the receiver of push notifications from a stored config. */
export function pushTargets(
  runs: Pick<RunHub, "details">,
  rule: HostRule,
  load: () => Promise<A2aPackage>,
): OpenTarget {
  return (target, runId) => {
    const { url: text, token, scheme, credentials } = storedConfig(target)
    const url = new URL(text)
    return {
      url,
      publicOnly: rule.publicOnly(url),
      timeoutMs: defaultTimeoutMs,
      retry: { ...defaultRetry, giveUpAfterMs: 86_400_000 },
      selects: isNotified,
      async request(event, now) {
        const sdk = await load()
        return {
          body: JSON.stringify(notification(sdk, event, await runs.details(runId))),
          headers: {
            "content-type": sdk.A2A_CONTENT_TYPE,
            [sdk.A2A_VERSION_HEADER]: sdk.A2A_PROTOCOL_VERSION,
            "webhook-id": messageIdOf(event),
            "webhook-timestamp": String(Math.floor(now / 1_000)),
            ...(token !== "" && { "x-a2a-notification-token": token }),
            ...(scheme !== "" && { authorization: `${scheme} ${credentials}` }),
          },
        }
      },
    }
  }
}

/**
 * Returns the push notification for a run event. It is the whole A2A task if the event ends the
 * run, otherwise the new status of the task.
 */
function notification(sdk: A2aPackage, event: RunEvent, run: RunDetails): unknown {
  const tasks = a2aTasks(sdk)
  const events = run.events.slice(0, event.seq + 1)
  if (event.type === "run.finished") {
    const value = tasks.task({ ...run, events, result: event.result, pending: [] })
    return sdk.StreamResponse.toJSON({ payload: { $case: "task", value } })
  }
  const request =
    event.type === "human.asked" || event.type === "user.awaited" ? [event.request] : []
  const status = tasks.status({
    ...run,
    events,
    result: { ...run.result, status: "waiting", error: null },
    pending: request,
  })
  const value = { taskId: run.runId, contextId: contextIdOf(run), status, metadata: undefined }
  return sdk.StreamResponse.toJSON({ payload: { $case: "statusUpdate", value } })
}

/** Push notification configs of the A2A tasks of one workflow. */
export class PushConfigs {
  readonly #parts: PushParts
  readonly #errors: typeof import("@a2a-js/sdk/errors")

  constructor(parts: PushParts, errors: typeof import("@a2a-js/sdk/errors")) {
    this.#parts = parts
    this.#errors = errors
  }

  /**
   * Validates a push notification config that a client has sent.
   *
   * @throws RequestMalformedError if the URL, the token or the credentials are not allowed
   */
  check({ url: text, token, authentication }: TaskPushNotificationConfig): void {
    const url = URL.canParse(text) ? new URL(text) : null
    if (url === null || !/^https?:$/.test(url.protocol))
      throw new this.#errors.RequestMalformedError(
        "the url of a push notification config must start with https:// or http://",
      )
    const refusal = this.#parts.rule.refusal(url)
    if (refusal !== null)
      throw new this.#errors.RequestMalformedError(
        `the server sends no notifications to ${url.host}: it ${refusal}`,
      )
    const headers = [token, authentication?.scheme ?? "", authentication?.credentials ?? ""]
    if (headers.some((text) => !/^[\x20-\x7e]{0,4096}$/.test(text)))
      throw new this.#errors.RequestMalformedError(
        "token, scheme and credentials must be at most 4,096 printable ASCII characters",
      )
  }

  /**
   * Adds a push notification config to a task, or replaces the config with the same id. If the task
   * waits for input or has ended, sends its current state immediately.
   */
  async create(
    config: TaskPushNotificationConfig,
    { runId, events }: Pick<RunDetails, "runId" | "events">,
  ): Promise<TaskPushNotificationConfig> {
    this.check(config)
    const id = config.id === "" ? crypto.randomUUID() : config.id
    const existing = await this.list(runId)
    if (existing.length >= maxConfigs && existing.every((one) => one.id !== id))
      throw new this.#errors.RequestMalformedError(
        `a task can have at most ${maxConfigs} push notification configs; delete one of them`,
      )
    const last = events.findLastIndex(isNotified)
    const stored: StoredConfig = {
      id,
      url: config.url,
      token: config.token,
      scheme: config.authentication?.scheme ?? "",
      credentials: config.authentication?.credentials ?? "",
    }
    await this.#parts.deliveries.add(
      { runId, receiver: receiverOf(id) },
      { ...stored },
      last === -1 ? events.length : last,
    )
    return { ...config, id, taskId: runId }
  }

  async list(runId: string): Promise<TaskPushNotificationConfig[]> {
    return (await this.#parts.deliveries.ofRun(runId)).flatMap(({ progress: { target } }) => {
      if (target === undefined) return []
      const { id, url, token, scheme, credentials } = storedConfig(target)
      const authentication = scheme === "" ? undefined : { scheme, credentials }
      return [{ tenant: "", id, taskId: runId, url, token, authentication }]
    })
  }

  /**
   * Returns the push notification config of a task with this id.
   *
   * @throws TaskNotFoundError if the task has no config with this id
   */
  async get(runId: string, id: string): Promise<TaskPushNotificationConfig> {
    const config = (await this.list(runId)).find((one) => one.id === id)
    if (config === undefined)
      throw new this.#errors.TaskNotFoundError(
        `the task "${runId}" has no push notification config "${id}"`,
      )
    return config
  }

  async delete(runId: string, id: string): Promise<void> {
    await this.#parts.deliveries.remove({ runId, receiver: receiverOf(id) })
  }
}
