import type { Message, StreamResponse, Task } from "@a2a-js/sdk"
import { Role, TaskState } from "@a2a-js/sdk"
import type { Client } from "@a2a-js/sdk/client"
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client"
import { TaskNotCancelableError, TaskNotFoundError } from "@a2a-js/sdk/errors"
import { describe, expect, test } from "vitest"
import { isBuilt } from "../cli/command.js"
import type { TestServer } from "./test-server.js"
import { examplesServed } from "./test-server.js"

const isNewestFirst = (times: readonly string[]): boolean =>
  times.every((time, index) => index === 0 || time <= (times[index - 1] ?? ""))

describe.skipIf(!isBuilt)("A2A with its official client", () => {
  let server: TestServer
  examplesServed((started) => (server = started))

  const withToken: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set("authorization", "Bearer test-token")
    return fetch(input, { ...init, headers })
  }

  const clientFor = (workflow: string): Promise<Client> =>
    new ClientFactory({
      transports: [new JsonRpcTransportFactory({ fetchImpl: withToken })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl: withToken }),
    }).createFromUrl(`${server.origin}/a2a/${workflow}/`)

  const says = (
    text: string,
    more: Partial<Message> = {},
  ): { tenant: string; message: Message; configuration: undefined; metadata: undefined } => ({
    tenant: "",
    message: {
      messageId: crypto.randomUUID(),
      contextId: "",
      taskId: "",
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
      ...more,
    },
    configuration: undefined,
    metadata: undefined,
  })

  const textOf = (message: Message | undefined): string =>
    message?.parts
      .map(({ content }) => (content?.$case === "text" ? content.value : ""))
      .join("") ?? ""
  const bringing = (value: unknown): Partial<Message> => ({
    parts: [
      {
        content: { $case: "data", value },
        metadata: undefined,
        filename: "",
        mediaType: "application/json",
      },
    ],
  })

  test("a client starts a task, approves with data, rejects with text, and reads the result", async () => {
    const client = await clientFor("human-approval")
    const asked = (await client.sendMessage(
      says("Pay what we owe.", { contextId: "invoices" }),
    )) as Task
    expect(asked).toMatchObject({
      contextId: "invoices",
      status: { state: TaskState.TASK_STATE_INPUT_REQUIRED },
    })
    expect(textOf(asked.status?.message)).toContain("1,940")
    const second = (await client.sendMessage(
      says("", {
        taskId: asked.id,
        ...bringing({ approved: true, args: { invoice: "INV-2291", amount: 1840, iban: "DE02" } }),
      }),
    )) as Task
    expect(textOf(second.status?.message)).toContain("2,760")
    const done = (await client.sendMessage(says("Call them first.", { taskId: asked.id }))) as Task
    expect(done).toMatchObject({
      id: asked.id,
      contextId: "invoices",
      status: { state: TaskState.TASK_STATE_COMPLETED },
      artifacts: [{ artifactId: "result" }],
    })
    const read = await client.getTask({ tenant: "", id: asked.id, historyLength: 1 })
    expect(read.history.map(textOf)).toEqual([expect.stringContaining("Not paid")])
    await expect(
      client.cancelTask({ tenant: "", id: asked.id, metadata: undefined }),
    ).rejects.toThrow(TaskNotCancelableError)
  })

  test("the metadata of a task and of its artifact list the failed tool calls", async () => {
    const client = await clientFor("retries-and-errors")
    const done = (await client.sendMessage(says("Is the hut open?"))) as Task
    const failed = { toolFailures: [{ tool: "bus_times", agent: "bus_agent" }] }
    expect(done).toMatchObject({ metadata: failed, artifacts: [{ metadata: failed }] })
  })

  test("the stream of a task contains the task, its status updates and its artifact", async () => {
    const client = await clientFor("content-loop")
    const kinds: string[] = []
    let last: StreamResponse | undefined
    for await (const event of client.sendMessageStream(says("Write about the harbour."))) {
      kinds.push(event.payload?.$case ?? "")
      last = event
    }
    expect(kinds[0]).toBe("task")
    expect(kinds.filter((kind) => kind === "statusUpdate").length).toBeGreaterThan(2)
    expect(kinds.slice(-2)).toEqual(["artifactUpdate", "statusUpdate"])
    expect(last?.payload).toMatchObject({
      value: { status: { state: TaskState.TASK_STATE_COMPLETED } },
    })
  })

  test("a client can cancel a task, and does not find the tasks of another workflow", async () => {
    const client = await clientFor("human-approval")
    const asked = (await client.sendMessage(says("Pay."))) as Task
    const other = await clientFor("content-loop")
    await expect(other.getTask({ tenant: "", id: asked.id })).rejects.toThrow(TaskNotFoundError)
    await expect(client.getTask({ tenant: "", id: "none" })).rejects.toThrow(TaskNotFoundError)
    expect(
      await client.cancelTask({ tenant: "", id: asked.id, metadata: undefined }),
    ).toMatchObject({ status: { state: TaskState.TASK_STATE_CANCELED } })
  })

  test("a client lists the tasks of a workflow by state and context, page by page", async () => {
    const client = await clientFor("human-approval")
    const contextId = crypto.randomUUID()
    const ids: string[] = []
    for (const _ of [1, 2, 3])
      ids.push(((await client.sendMessage(says("Pay.", { contextId }))) as Task).id)
    const [first = ""] = ids
    await client.cancelTask({ tenant: "", id: first, metadata: undefined })
    const list = (more: object) =>
      client.listTasks({
        tenant: "",
        contextId,
        status: TaskState.TASK_STATE_UNSPECIFIED,
        pageToken: "",
        statusTimestampAfter: undefined,
        ...more,
      })
    const all = await list({})
    expect(all.tasks.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    const cancelled = await list({ status: TaskState.TASK_STATE_CANCELED })
    expect(cancelled.tasks.map(({ id }) => id)).toEqual([first])
    // The task that was started first was cancelled last, so it changed last.
    const timesOfTasks = async (): Promise<readonly string[]> =>
      (await list({})).tasks.map(({ status }) => status?.timestamp ?? "")
    await expect
      .poll(async () => isNewestFirst(await timesOfTasks()), { timeout: 60_000 })
      .toBe(true)
    const page = await list({ pageSize: 2 })
    const next = await list({ pageSize: 2, pageToken: page.nextPageToken })
    expect([...page.tasks, ...next.tasks].map(({ id }) => id)).toEqual(
      (await list({})).tasks.map(({ id }) => id),
    )
    expect(page.tasks).toHaveLength(2)
    expect(next.nextPageToken).toBe("")
    await expect(list({ pageSize: 0 })).rejects.toThrow("pageSize")
    await expect(list({ pageToken: "no" })).rejects.toThrow("pageToken")
  })

  test("a message that is sent twice starts only one task", async () => {
    const client = await clientFor("human-approval")
    const message = says("Pay.", { messageId: crypto.randomUUID() })
    const first = (await client.sendMessage(message)) as Task
    const second = (await client.sendMessage(message)) as Task
    expect(second.id).toBe(first.id)
    expect(first.history[0]?.messageId).toBe(message.message.messageId)
    const other = (await client.sendMessage(says("Pay."))) as Task
    expect(other.id).not.toBe(first.id)
  })
})
