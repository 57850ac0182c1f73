import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Role, StreamResponse, TaskState } from "@a2a-js/sdk"
import type { SendMessageRequest, Task, TaskPushNotificationConfig } from "@a2a-js/sdk"
import type { Client } from "@a2a-js/sdk/client"
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client"
import { RequestMalformedError, TaskNotFoundError } from "@a2a-js/sdk/errors"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { isBuilt } from "../../cli/command.js"
import { eventually } from "../../support/eventually.js"
import type { WebhookReceiver } from "../../support/webhook-receiver.js"
import { startReceiver } from "../../support/webhook-receiver.js"
import type { TestServer } from "../test-server.js"
import { startServerProcess, startTestServer } from "../test-server.js"

const place = mkdtempSync(join(tmpdir(), "push-"))
const workflows = join(place, "workflows")
let folders = 0

beforeAll(() => {
  mkdirSync(join(workflows, "desk"), { recursive: true })
  writeFileSync(
    join(workflows, "desk/workflow.json"),
    JSON.stringify({
      rootAgentId: "boss",
      agents: [{ type: "HumanAgent", id: "boss", prompt: "May we?", outputKey: "verdict" }],
    }),
  )
})
afterAll(() => rmSync(place, { recursive: true }))

const withToken: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set("authorization", "Bearer test-token")
  return fetch(input, { ...init, headers })
}

const says = (
  text: string,
  taskId = "",
  taskPushNotificationConfig?: TaskPushNotificationConfig,
): SendMessageRequest => ({
  tenant: "",
  metadata: undefined,
  configuration: {
    acceptedOutputModes: [],
    historyLength: undefined,
    returnImmediately: false,
    taskPushNotificationConfig,
  },
  message: {
    messageId: crypto.randomUUID(),
    contextId: "",
    taskId,
    role: Role.ROLE_USER,
    parts: [
      {
        content: { $case: "text", value: text },
        metadata: undefined,
        filename: "",
        mediaType: "text/plain",
      },
    ],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  },
})

describe.skipIf(!isBuilt)("A2A push notifications", () => {
  const servers: TestServer[] = []
  const receivers: WebhookReceiver[] = []
  let runs = ""

  beforeEach(() => {
    runs = join(place, `runs-${folders++}`)
  })
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()))
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
  })

  const serve = async (
    more: readonly string[] = ["--allow-private-addresses"],
    startServer = startTestServer,
  ) => {
    const server = await startServer(workflows, runs, ["--token", "test-token", ...more])
    servers.push(server)
    const client = await new ClientFactory({
      transports: [new JsonRpcTransportFactory({ fetchImpl: withToken })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl: withToken }),
    }).createFromUrl(`${server.origin}/a2a/desk/`)
    expect((await client.getAgentCard()).capabilities?.pushNotifications).toBe(true)
    return { server, client }
  }
  const receive = async (...given: Parameters<typeof startReceiver>): Promise<WebhookReceiver> => {
    const receiver = await startReceiver(...given)
    receivers.push(receiver)
    return receiver
  }
  const config = (url: string, more: Partial<TaskPushNotificationConfig> = {}) => ({
    tenant: "",
    id: "mine",
    taskId: "",
    url,
    token: "",
    authentication: undefined,
    ...more,
  })
  const start = async (
    client: Client,
    configuration?: TaskPushNotificationConfig,
  ): Promise<Task> => {
    const task = await client.sendMessage(says("Hello", "", configuration))
    if (!("status" in task)) throw new Error("the response is not a task")
    return task
  }
  /** Returns the states that a receiver was notified of, in order and without repeated messages. */
  const statesAt = ({ messages }: WebhookReceiver): readonly (TaskState | undefined)[] =>
    messages
      .filter(({ id }, index) => messages.findIndex((one) => one.id === id) === index)
      .map(({ text }) => {
        const { payload } = StreamResponse.fromJSON(JSON.parse(text))
        return payload?.$case === "statusUpdate" || payload?.$case === "task"
          ? payload.value.status?.state
          : undefined
      })

  test("notifications report a question and the end of a task, with the token and the credentials", async () => {
    const receiver = await receive()
    const { client } = await serve()
    const wanted = config(receiver.url, {
      token: "task-token",
      authentication: { scheme: "Bearer", credentials: "abc" },
    })
    const { id } = await start(client, wanted)
    await eventually(() =>
      expect(statesAt(receiver)).toEqual([TaskState.TASK_STATE_INPUT_REQUIRED]),
    )
    await client.sendMessage(says("yes", id))
    await eventually(() => expect(statesAt(receiver)).toHaveLength(2))
    expect(statesAt(receiver)[1]).toBe(TaskState.TASK_STATE_COMPLETED)
    expect(receiver.messages[0]?.headers).toMatchObject({
      "content-type": "application/a2a+json",
      "x-a2a-notification-token": "task-token",
      authorization: "Bearer abc",
    })
    const { payload } = StreamResponse.fromJSON(JSON.parse(receiver.messages.at(-1)?.text ?? ""))
    expect(payload).toMatchObject({ $case: "task", value: { id } })
  })

  test("a client sets, reads, lists and deletes the push notification configs of a task", async () => {
    const receiver = await receive()
    const { client } = await serve()
    const { id: taskId } = await start(client)
    const first = config(receiver.url, { taskId, token: "t" })
    expect(await client.createTaskPushNotificationConfig(first)).toEqual(first)
    // The task already waits, so its state is sent at once.
    await eventually(() =>
      expect(statesAt(receiver)).toEqual([TaskState.TASK_STATE_INPUT_REQUIRED]),
    )
    const second = await client.createTaskPushNotificationConfig({ ...first, id: "" })
    expect(second.id).not.toBe("")
    const list = async () =>
      (
        await client.listTaskPushNotificationConfig({
          tenant: "",
          taskId,
          pageSize: 0,
          pageToken: "",
        })
      ).configs.map(({ id }) => id)
    expect(await list()).toEqual(["mine", second.id].sort())
    expect(await client.getTaskPushNotificationConfig({ tenant: "", taskId, id: "mine" })).toEqual(
      first,
    )
    await client.deleteTaskPushNotificationConfig({ tenant: "", taskId, id: "mine" })
    expect(await list()).toEqual([second.id])
    await expect(
      client.getTaskPushNotificationConfig({ tenant: "", taskId, id: "mine" }),
    ).rejects.toThrow(TaskNotFoundError)
  })

  test("notifications continue after the server was killed", async () => {
    let isDown = true
    const receiver = await receive(() => ({ status: isDown ? 503 : 200 }))
    const killed = await serve(undefined, startServerProcess)
    const { id } = await start(killed.client, config(receiver.url))
    // A delivery that was in flight would continue after twice its timeout.
    await eventually(async () =>
      expect((await killed.server.ask("/v1/webhooks")).body["deliveries"]).toMatchObject([
        { runId: id, receiver: "a2a:mine", status: "retrying" },
      ]),
    )
    await killed.server.stop("SIGKILL")
    isDown = false
    const { client } = await serve()
    await client.sendMessage(says("yes", id))
    await eventually(() =>
      expect(statesAt(receiver)).toEqual([
        TaskState.TASK_STATE_INPUT_REQUIRED,
        TaskState.TASK_STATE_COMPLETED,
      ]),
    )
  })

  test("push notification configs with private addresses or invalid values are rejected", async () => {
    const receiver = await receive()
    const { client } = await serve([])
    const { id: taskId } = await start(client)
    const port = new URL(receiver.url).port
    for (const url of [receiver.url, `http://localhost:${port}`, "ftp://example.com", "nothing"])
      await expect(
        client.createTaskPushNotificationConfig(config(url, { taskId })),
      ).rejects.toThrow(RequestMalformedError)
    await expect(start(client, config(receiver.url))).rejects.toThrow(RequestMalformedError)
    await expect(
      client.createTaskPushNotificationConfig(
        config("https://example.com", { taskId, token: "a\r\nb: c" }),
      ),
    ).rejects.toThrow(RequestMalformedError)
    expect(receiver.messages).toEqual([])
  })
})
