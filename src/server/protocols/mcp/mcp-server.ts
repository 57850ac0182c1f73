import { createHash } from "node:crypto"
import type {
  CallToolRequestParams,
  CallToolResult,
  ClientCapabilities,
  InputRequiredResult,
  McpRequestContext,
  Server,
  ServerContext,
} from "@modelcontextprotocol/server"
import { idempotencyKey } from "../../../adapters/tool/mcp/idempotency-key.js"
import type { LiveRun } from "../../../serving/live-run.js"
import { HttpError, isReportedError } from "../../../serving/http-error.js"
import type { RunHub } from "../../../serving/run-hub.js"
import type { ServedWorkflows } from "../../workflows/served-workflows.js"
import { isRunOf } from "../../workflows/served-workflows.js"
import type { StartRun } from "../../runs/start-run.js"
import { answersIn, resultOrForms } from "./mcp-elicitation.js"
import { messageOf, parseAnswer, startOptions } from "./mcp-input.js"
import type { McpPackage } from "./mcp-package.js"
import { addTasks, taskCapabilities } from "./mcp-tasks.js"
import { errorResult, resultOf } from "./mcp-result.js"
import type { WorkflowTool } from "./mcp-tools.js"
import { answerRun, mcpTools } from "./mcp-tools.js"
import { progressMessage } from "./progress-message.js"

/** Dependencies of a server for the MCP protocol. */
export interface McpParts {
  readonly sdk: McpPackage
  readonly workflows: ServedWorkflows
  readonly runs: RunHub
  readonly start: StartRun
  readonly version: string
  /**
   * Returns whether closing the connection of a tool call cancels the run of this call. Clients of
   * newer MCP versions cancel an HTTP request by closing its connection. `era` is the MCP version
   * of the client.
   */
  readonly cancelOnDisconnect: (era: McpRequestContext["era"]) => boolean
}

/** Maximum number of times that one MCP tool call may show forms to the user. */
const maxRounds = 100

/**
 * The run that an MCP tool call has started or answered. `from` is the index of the first event
 * after the start or answer.
 */
interface CalledRun {
  readonly runId: string
  /** The run, if this process executes it and new events are expected. Otherwise null. */
  readonly live: LiveRun | null
  readonly from: number
}

/**
 * Returns a function that creates an MCP server with one tool for each workflow. Call this function
 * for each connection (stdio) or for each request (HTTP).
 */
export function mcpServers({
  sdk,
  workflows,
  runs,
  start,
  version,
  cancelOnDisconnect,
}: McpParts): (context: McpRequestContext) => Server {
  const tools = mcpTools(workflows.all)

  /**
   * Returns a run. If the run is interrupted, resumes it and waits until it reaches its pending
   * requests.
   */
  const resumeRun = async (runId: string): Promise<CalledRun> => {
    const live = await runs.ensureLive(runId)
    if (live.run.pending().length === 0) await live.run.whenSettled()
    return { runId, live, from: live.events.length }
  }

  const startedRun = (runId: string): CalledRun => ({ runId, live: runs.findLive(runId), from: 0 })

  /**
   * Starts a run for an MCP tool call. If an earlier call with the same idempotency key has started
   * a run, returns this run instead.
   */
  const startWorkflow = async (
    tool: WorkflowTool,
    input: unknown,
    key: unknown,
  ): Promise<CalledRun> => {
    const options = startOptions(tool, input)
    if (typeof key !== "string") return startedRun(await start(tool.workflow, options))
    const runId = `mcp-${createHash("sha256").update(`${tool.workflow.id}\n${key}`).digest("hex").slice(0, 32)}`
    if (!(await runs.has(runId)))
      return startedRun(await start(tool.workflow, { ...options, runId }))
    const { events } = await runs.details(runId)
    return events.at(-1)?.type === "run.finished"
      ? startedRun(runId)
      : { runId, live: await runs.ensureLive(runId), from: events.length }
  }

  /** Sends the answers in completed MCP forms to the run. */
  const answerForms = async (
    tool: WorkflowTool | undefined,
    runId: string,
    responses: Readonly<Record<string, unknown>>,
  ): Promise<CalledRun> => {
    const details = (await runs.has(runId)) ? await runs.details(runId) : null
    if (details === null || (tool !== undefined && !isRunOf(tool.workflow, details)))
      throw new HttpError(404, {
        code: "run_unknown",
        message: `the run "${runId}" does not exist in this workflow`,
      })
    const messages = answersIn(responses, details.pending, sdk)
    if (messages.length === 0) return { runId, live: null, from: 0 }
    const run = await resumeRun(runId)
    for (const message of messages) await runs.give(runId, message)
    return run
  }

  /** Sends the answer in a call of the MCP tool `answer_run` to the run. */
  const answerRequest = async (input: unknown): Promise<CalledRun> => {
    const { runId, ...answer } = parseAnswer(input)
    const { pending } = await runs.details(runId)
    const message = messageOf(answer, pending)
    const run = await resumeRun(runId)
    await runs.give(runId, message)
    return run
  }

  const cancel = async (live: LiveRun): Promise<void> => {
    try {
      if (!live.hasEnded) await runs.give(live.run.runId, { type: "cancel" })
    } catch (error) {
      // The run has ended in the meantime.
      if (!isReportedError(error)) throw error
    }
  }

  /** Sends MCP progress notifications for run events until no call of the run is in flight. */
  const follow = async (
    live: LiveRun,
    from: number,
    { signal, notify, _meta: meta }: ServerContext["mcpReq"],
    era: McpRequestContext["era"],
  ): Promise<void> => {
    const progressToken = meta?.progressToken
    try {
      for await (const event of live.eventsUntilSettled(from, signal)) {
        const message = progressMessage(event)
        if (progressToken === undefined || message === null || signal.aborted) continue
        await notify({
          method: "notifications/progress",
          params: { progressToken, progress: event.seq + 1, message },
        })
      }
    } finally {
      if (signal.aborted && (cancelOnDisconnect(era) || !isDisconnect(signal.reason)))
        await cancel(live)
    }
  }

  /** Returns whether an MCP request was aborted because its connection was closed. */
  const isDisconnect = (reason: unknown): boolean =>
    reason instanceof sdk.SdkError && reason.code === sdk.SdkErrorCode.ConnectionClosed

  /**
   * MCP server that reports invalid parameters with the correct error code. The server of the SDK
   * reports an internal error instead.
   */
  class WorkflowServer extends sdk.Server {
    protected override _wrapHandler(
      ...[method, handler]: Parameters<Server["_wrapHandler"]>
    ): ReturnType<Server["_wrapHandler"]> {
      const inner = super._wrapHandler(method, handler)
      // The SDK validates tool calls itself.
      if (method === "tools/call") return inner
      return async (request, context) => {
        try {
          return await inner(request, context)
        } catch (error) {
          if (!(error instanceof Error) || "code" in error) throw error
          throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, error.message)
        }
      }
    }
  }

  return ({ era }) => {
    const server = new WorkflowServer(
      { name: "agent-statecharts", version },
      {
        capabilities: { tools: {}, ...taskCapabilities(era) },
        inputRequired: { maxRounds: maxRounds },
      },
    )

    /**
     * Returns the capabilities of an MCP client. Newer clients send them with each request. Older
     * clients send them when they connect.
     */
    const capabilitiesOf = ({
      envelope = {},
    }: ServerContext["mcpReq"]): ClientCapabilities | undefined =>
      Object.entries(envelope).flatMap(([key, value]) =>
        key === sdk.CLIENT_CAPABILITIES_META_KEY ? [value] : [],
      )[0] ?? server.getClientCapabilities()

    const tasks = addTasks(server, { sdk, runs, era, capabilitiesOf })

    const call = async (
      params: CallToolRequestParams,
      { mcpReq }: ServerContext,
    ): Promise<CallToolResult | InputRequiredResult> => {
      const { name, arguments: input = {} } = params
      const tool = tools.get(name)
      if (tool === undefined && name !== answerRun)
        throw new sdk.ProtocolError(
          sdk.ProtocolErrorCode.InvalidParams,
          `the tool "${name}" does not exist; list the tools with tools/list`,
        )
      const askedRunId = mcpReq.requestState<string>()
      try {
        const opening =
          askedRunId !== undefined
            ? answerForms(tool, askedRunId, mcpReq.inputResponses ?? {})
            : tool === undefined
              ? answerRequest(input)
              : startWorkflow(tool, input, mcpReq._meta?.[idempotencyKey])
        const { runId, live, from } = await opening
        if (tool !== undefined && tasks.isTask(params, mcpReq))
          return await tasks.created(runId, mcpReq)
        if (live !== null) await follow(live, from, mcpReq, era)
        const details = await runs.details(runId)
        // If the user has just dismissed the forms, they are not shown again.
        return live === null
          ? resultOf(details)
          : resultOrForms(details, capabilitiesOf(mcpReq), sdk)
      } catch (error) {
        return errorResult(error)
      }
    }

    server.setRequestHandler("tools/list", () => ({ tools: tools.declarations(era) }))
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const result = await call(params, context)
      return sdk.isInputRequiredResult(result)
        ? result
        : server.projectCallToolResult(result, undefined)
    })
    return server
  }
}
