import { createHash } from "node:crypto"
import type {
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
import { isOf } from "../../workflows/served-workflows.js"
import type { StartRun } from "../../runs/start-run.js"
import { answersIn, restOf } from "./mcp-elicitation.js"
import { messageOf, parseAnswer, startOf } from "./mcp-input.js"
import type { McpPackage } from "./mcp-package.js"
import { refusalOf, resultOf } from "./mcp-result.js"
import type { WorkflowTool } from "./mcp-tools.js"
import { answerRun, mcpTools } from "./mcp-tools.js"
import { progressMessage } from "./progress-message.js"

export interface McpParts {
  readonly sdk: McpPackage
  readonly workflows: ServedWorkflows
  readonly runs: RunHub
  readonly start: StartRun
  readonly version: string
  /** Whether somebody who goes away wants no result any more. Over HTTP, newer clients cancel a request in this way. */
  readonly leavingCancels: (era: McpRequestContext["era"]) => boolean
}

/** As often is a person asked within one request, where the server itself does the asking. */
const mostRounds = 100

/** A run, and where what is new in it begins. */
interface Followed {
  readonly runId: string
  /** null: there is nothing new to come. */
  readonly live: LiveRun | null
  readonly from: number
}

/** Makes servers that offer workflows as tools, one for each connection or request. */
export function mcpServers({
  sdk,
  workflows,
  runs,
  start,
  version,
  leavingCancels,
}: McpParts): (context: McpRequestContext) => Server {
  const tools = mcpTools(workflows.all)

  /** A run that waits, taken up where it has to be; what was interrupted asks again when it gets there. */
  const taken = async (runId: string): Promise<Followed> => {
    const live = await runs.ensureLive(runId)
    if (live.run.pending().length === 0) await live.run.whenSettled()
    return { runId, live, from: live.events.length }
  }

  const started = (runId: string): Followed => ({ runId, live: runs.findLive(runId), from: 0 })

  /** Starts a run; a call that is made again under the same key has one already. */
  const begin = async (tool: WorkflowTool, given: unknown, key: unknown): Promise<Followed> => {
    const options = startOf(tool, given)
    if (typeof key !== "string") return started(await start(tool.workflow, options))
    const runId = `mcp-${createHash("sha256").update(`${tool.workflow.id}\n${key}`).digest("hex").slice(0, 32)}`
    if (!(await runs.has(runId))) return started(await start(tool.workflow, { ...options, runId }))
    const { events } = await runs.details(runId)
    return events.at(-1)?.type === "run.finished"
      ? started(runId)
      : { runId, live: await runs.ensureLive(runId), from: events.length }
  }

  /** Goes on with the run that the client was asked about. */
  const goOn = async (
    tool: WorkflowTool | undefined,
    runId: string,
    responses: Readonly<Record<string, unknown>>,
  ): Promise<Followed> => {
    const standing = (await runs.has(runId)) ? await runs.details(runId) : null
    if (standing === null || (tool !== undefined && !isOf(tool.workflow, standing)))
      throw new HttpError(404, {
        code: "run_unknown",
        message: `the run "${runId}" does not exist in this workflow`,
      })
    const messages = answersIn(responses, standing.pending, sdk)
    if (messages.length === 0) return { runId, live: null, from: 0 }
    const followed = await taken(runId)
    for (const message of messages) await runs.give(runId, message)
    return followed
  }

  const answered = async (given: unknown): Promise<Followed> => {
    const { runId, ...answer } = parseAnswer(given)
    const { pending } = await runs.details(runId)
    const message = messageOf(answer, pending)
    const followed = await taken(runId)
    await runs.give(runId, message)
    return followed
  }

  const cancel = async (live: LiveRun): Promise<void> => {
    try {
      if (!live.hasEnded) await runs.give(live.run.runId, { type: "cancel" })
    } catch (error) {
      // A run that has ended meanwhile needs no cancelling.
      if (!isReportedError(error)) throw error
    }
  }

  /** Tells what the run does until nothing is in flight. */
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
      if (signal.aborted && (leavingCancels(era) || !hasLeft(signal.reason))) await cancel(live)
    }
  }

  /** Who closes the connection gives no reason of his own. */
  const hasLeft = (reason: unknown): boolean =>
    reason instanceof sdk.SdkError && reason.code === sdk.SdkErrorCode.ConnectionClosed

  /** Reports params that do not have the shape of their method as invalid params; the SDK calls them an internal error. */
  class WorkflowServer extends sdk.Server {
    protected override _wrapHandler(
      ...[method, handler]: Parameters<Server["_wrapHandler"]>
    ): ReturnType<Server["_wrapHandler"]> {
      const inner = super._wrapHandler(method, handler)
      // The SDK checks a tool call itself.
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
      { capabilities: { tools: {} }, inputRequired: { maxRounds: mostRounds } },
    )

    /** Newer clients say with each request what they can do, older ones when they connect. */
    const capabilitiesOf = ({
      envelope = {},
    }: ServerContext["mcpReq"]): ClientCapabilities | undefined =>
      Object.entries(envelope).flatMap(([key, value]) =>
        key === sdk.CLIENT_CAPABILITIES_META_KEY ? [value as ClientCapabilities] : [],
      )[0] ?? server.getClientCapabilities()

    const call = async (
      name: string,
      given: unknown,
      { mcpReq }: ServerContext,
    ): Promise<CallToolResult | InputRequiredResult> => {
      const tool = tools.get(name)
      if (tool === undefined && name !== answerRun)
        throw new sdk.ProtocolError(
          sdk.ProtocolErrorCode.InvalidParams,
          `the tool "${name}" does not exist`,
        )
      const asked = mcpReq.requestState<string>()
      try {
        const open =
          asked !== undefined
            ? goOn(tool, asked, mcpReq.inputResponses ?? {})
            : tool === undefined
              ? answered(given)
              : begin(tool, given, mcpReq._meta?.[idempotencyKey])
        const { runId, live, from } = await open
        if (live !== null) await follow(live, from, mcpReq, era)
        const standing = await runs.details(runId)
        // Who has just been asked and did not answer is not asked again.
        return live === null ? resultOf(standing) : restOf(standing, capabilitiesOf(mcpReq), sdk)
      } catch (error) {
        return refusalOf(error)
      }
    }

    server.setRequestHandler("tools/list", () => ({ tools: [...tools.declarations] }))
    server.setRequestHandler(
      "tools/call",
      async ({ params: { name, arguments: given = {} } }, context) => {
        const result = await call(name, given, context)
        return sdk.isInputRequiredResult(result)
          ? result
          : server.projectCallToolResult(result, undefined)
      },
    )
    return server
  }
}
