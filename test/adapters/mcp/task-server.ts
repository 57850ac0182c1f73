import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { getRequestListener } from "@hono/node-server"
import type { CallToolResult, InputRequests } from "@modelcontextprotocol/server"
import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  ProtocolError,
  Server,
} from "@modelcontextprotocol/server"
import * as z from "zod"

/** The state of a task. A test changes it, and the server reports it. */
export interface TaskState {
  status: "working" | "input_required" | "completed" | "failed" | "cancelled"
  statusMessage?: string
  ttlMs: number | null
  inputRequests?: InputRequests
  result?: CallToolResult
  error?: object
}

export interface TaskServer {
  readonly url: string
  /** The arguments of the tool calls, and the capabilities of the client. */
  readonly calls: { readonly args: unknown; readonly capabilities: unknown }[]
  /** The requests for tasks as texts, such as `tasks/get t1`. */
  readonly requests: string[]
  readonly tasks: Map<string, TaskState>
  close(): Promise<void>
}

const anything = z.looseObject({})
const ofTask = z.looseObject({ taskId: z.string() })
const extension = { "io.modelcontextprotocol/tasks": {} }

/**
 * Starts a server of the official package whose tool `bake` creates a task for each call. `create`
 * returns the state of the new task. `updated` is called with the input for a task.
 */
export async function taskServer({
  create,
  updated = () => {},
}: {
  create(): TaskState
  updated?(task: TaskState, responses: unknown): void
}): Promise<TaskServer> {
  const calls: { readonly args: unknown; readonly capabilities: unknown }[] = []
  const requests: string[] = []
  const tasks = new Map<string, TaskState>()
  const times = { createdAt: "2026-11-01T00:00:00Z", lastUpdatedAt: "2026-11-01T00:00:00Z" }

  const taskOf = (method: string, taskId: string): TaskState => {
    requests.push(`${method} ${taskId}`)
    const task = tasks.get(taskId)
    if (task === undefined) throw new ProtocolError(-32602, `the task ${taskId} does not exist`)
    return task
  }
  const handler = createMcpHandler(() => {
    const server = new Server(
      { name: "bakery", version: "1" },
      { capabilities: { tools: {}, extensions: extension } },
    )
    server.setRequestHandler("tools/list", () => ({
      tools: [{ name: "bake", inputSchema: { type: "object" }, outputSchema: { type: "object" } }],
    }))
    server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
      const capabilities = Object.entries(mcpReq.envelope ?? {}).find(
        ([key]) => key === CLIENT_CAPABILITIES_META_KEY,
      )?.[1]
      const taskId = `t${calls.push({ args: params.arguments, capabilities })}`
      const { status, ttlMs } = create()
      tasks.set(taskId, { status, ttlMs })
      // The type of the package has no tasks.
      return { resultType: "task", taskId, status, ttlMs, pollIntervalMs: 50, ...times } as never
    })
    server.setRequestHandler("tasks/get", { params: ofTask, result: anything }, ({ taskId }) => ({
      ...taskOf("tasks/get", taskId),
      taskId,
      pollIntervalMs: 50,
      ...times,
    }))
    server.setRequestHandler(
      "tasks/update",
      { params: ofTask, result: anything },
      ({ taskId }, { mcpReq }) => {
        updated(taskOf("tasks/update", taskId), mcpReq.inputResponses)
        return {}
      },
    )
    server.setRequestHandler("tasks/cancel", { params: ofTask, result: anything }, ({ taskId }) => {
      taskOf("tasks/cancel", taskId).status = "cancelled"
      return {}
    })
    return server
  })
  const server = createServer(getRequestListener((request) => handler.fetch(request)))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    calls,
    requests,
    tasks,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
