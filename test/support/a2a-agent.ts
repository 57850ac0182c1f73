import { createServer } from "node:http"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { AgentCard as Card, Artifact, Message, Part, TaskStatus } from "@a2a-js/sdk"
import { AgentCard, Role, TaskState } from "@a2a-js/sdk"
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server"
import type { AgentExecutor, ExecutionEventBus, RequestContext } from "@a2a-js/sdk/server"
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
} from "@a2a-js/sdk/server"

/** A request that the agent has received. */
export interface ReceivedRequest {
  readonly method: string
  readonly headers: IncomingMessage["headers"]
  readonly params: unknown
}

export interface A2aAgent {
  readonly url: string
  readonly requests: ReceivedRequest[]
  /** The messages that the executor has received, oldest first. */
  readonly messages: Message[]
  /** Ids of the tasks that were cancelled. */
  readonly cancelled: string[]
  /** Resolves as soon as `condition` is true; checked after each request and message. */
  until(condition: () => boolean): Promise<void>
  /** Completes the tasks that wait because of `hold`. */
  release(): void
  /** Closes all connections and stops listening. */
  kill(): Promise<void>
  /** Listens again on the same port. The tasks are kept. */
  restart(): Promise<void>
}

const part = (content: NonNullable<Part["content"]>): Part => ({
  content,
  metadata: undefined,
  filename: "",
  mediaType: "",
})
const text = (value: string): Part => part({ $case: "text", value })

const textOf = (message: Message): string =>
  message.parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join("")

export interface A2aAgentOptions {
  readonly streaming?: boolean
  /** Version of A2A. Default: 1.0. */
  readonly version?: "1.0" | "0.3"
  /** Changes the JSON of the agent card. */
  readonly card?: (card: Record<string, unknown>, url: string) => unknown
  /** Handles a request instead of the SDK. Returns whether it has done so. */
  readonly intercept?: (method: string, response: ServerResponse) => boolean
}

/**
 * Starts an agent with the server of the official SDK. The words of a message decide what it does:
 * `ask`, `auth`, `fail`, `reject`, `data`, `message`, `hold`, or an answer in two chunks.
 */
export async function startA2aAgent({
  streaming = true,
  version = "1.0",
  card: changeCard = (card) => card,
  intercept = () => false,
}: A2aAgentOptions = {}): Promise<A2aAgent> {
  const requests: ReceivedRequest[] = []
  const messages: Message[] = []
  const cancelled: string[] = []
  const conditions = new Set<() => void>()
  const check = (): void => conditions.forEach((one) => one())
  let held: (() => void)[] = []
  const store = new InMemoryTaskStore()

  const executor: AgentExecutor = {
    async execute(context: RequestContext, bus: ExecutionEventBus) {
      const { userMessage, taskId, contextId, task } = context
      messages.push(userMessage)
      check()
      const said = textOf(userMessage)
      const ids = { taskId, contextId, metadata: undefined }
      const status = (state: TaskState, words?: string): TaskStatus => ({
        state,
        message:
          words === undefined
            ? undefined
            : {
                messageId: crypto.randomUUID(),
                taskId,
                contextId,
                role: Role.ROLE_AGENT,
                parts: [text(words)],
                metadata: undefined,
                extensions: [],
                referenceTaskIds: [],
              },
        timestamp: new Date().toISOString(),
      })
      const update = (state: TaskState, words?: string): void =>
        bus.publish(AgentEvent.statusUpdate({ ...ids, status: status(state, words) }))
      const artifact = (parts: Part[], append = false): void => {
        const content: Artifact = {
          artifactId: "result",
          name: "result",
          description: "",
          parts,
          metadata: undefined,
          extensions: [],
        }
        bus.publish(
          AgentEvent.artifactUpdate({ ...ids, artifact: content, append, lastChunk: append }),
        )
      }
      if (said.includes("message")) {
        const answer = status(TaskState.TASK_STATE_COMPLETED, `only words for ${contextId}`).message
        if (answer !== undefined) bus.publish(AgentEvent.message({ ...answer, taskId: "" }))
        return bus.finished()
      }
      bus.publish(
        AgentEvent.task({
          id: taskId,
          contextId,
          artifacts: [],
          history: [userMessage],
          metadata: undefined,
          ...task,
          status: status(TaskState.TASK_STATE_SUBMITTED),
        }),
      )
      update(TaskState.TASK_STATE_WORKING, "I am working.")
      if (said.includes("fail")) update(TaskState.TASK_STATE_FAILED, "the disk is full")
      else if (said.includes("reject")) update(TaskState.TASK_STATE_REJECTED, "not my job")
      else if (said.includes("ask") && task === undefined)
        update(TaskState.TASK_STATE_INPUT_REQUIRED, "Which color?")
      else if (said.includes("auth") && task === undefined)
        update(TaskState.TASK_STATE_AUTH_REQUIRED, "Log in at https://login.test")
      else {
        if (said.includes("hold")) await new Promise<void>((resolve) => held.push(resolve))
        if (cancelled.includes(taskId)) return bus.finished()
        if (said.includes("data")) artifact([part({ $case: "data", value: { owls: 3 } })])
        else {
          artifact([text("You said: ")])
          artifact([text(said)], true)
        }
        update(TaskState.TASK_STATE_COMPLETED)
      }
      bus.finished()
    },
    async cancelTask(taskId, bus) {
      cancelled.push(taskId)
      bus.publish(
        AgentEvent.statusUpdate({
          taskId,
          contextId: "",
          metadata: undefined,
          status: {
            state: TaskState.TASK_STATE_CANCELED,
            message: undefined,
            timestamp: new Date().toISOString(),
          },
        }),
      )
      bus.finished()
      check()
    },
  }

  let server: Server
  let port = 0
  let handler: Pick<JsonRpcTransportHandler, "handle">
  const cardOf = (): Card => ({
    name: "helper",
    description: "Helps.",
    version: "1",
    supportedInterfaces: [
      {
        url: `http://127.0.0.1:${port}/rpc`,
        protocolBinding: "JSONRPC",
        tenant: "",
        protocolVersion: "1.0",
      },
    ],
    provider: undefined,
    capabilities: {
      streaming,
      pushNotifications: false,
      extensions: [],
      extendedAgentCard: false,
    },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
    signatures: [],
  })

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === "GET") {
      const json = AgentCard.toJSON(cardOf()) as Record<string, unknown>
      requests.push({ method: "card", headers: request.headers, params: null })
      if (!intercept("card", response))
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify(changeCard(json, `http://127.0.0.1:${port}`)))
      return check()
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as {
      readonly method: string
      readonly params: unknown
    }
    requests.push({ method: body.method, headers: request.headers, params: body.params })
    check()
    if (intercept(body.method, response)) return
    const result = await handler.handle(body, new ServerCallContext({ requestedVersion: version }))
    if (!(Symbol.asyncIterator in result)) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result))
      return
    }
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.flushHeaders()
    try {
      for await (const event of result) response.write(`data: ${JSON.stringify(event)}\n\n`)
    } catch (error) {
      response.write(
        `data: ${JSON.stringify({ jsonrpc: "2.0", id: null, error: JsonRpcTransportHandler.mapToJSONRPCError(error) })}\n\n`,
      )
    }
    response.end()
  }

  const listen = async (): Promise<void> => {
    server = createServer((request, response) => {
      answer(request, response).catch((error: unknown) => response.destroy(error as Error))
    })
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
    port = (server.address() as AddressInfo).port
    const requestHandler = new DefaultRequestHandler(cardOf(), store, executor)
    handler =
      version === "1.0"
        ? new JsonRpcTransportHandler(requestHandler)
        : new LegacyJsonRpcTransportHandler(requestHandler)
  }
  await listen()

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    messages,
    cancelled,
    until: (condition) =>
      new Promise((resolve) => {
        const one = (): void => {
          if (!condition()) return
          conditions.delete(one)
          resolve()
        }
        conditions.add(one)
        one()
      }),
    release() {
      for (const resolve of held) resolve()
      held = []
    },
    async kill() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
    restart: listen,
  }
}
