import { Hono } from "hono"
import { streamSSE } from "hono/streaming"
import * as z from "zod"
import { parseBody } from "../../../serving/parse-request.js"
import { HttpError } from "../../../serving/http-error.js"
import type { RunHub } from "../../../serving/run-hub.js"
import type { ServedWorkflow, ServedWorkflows } from "../../workflows/served-workflows.js"
import type { StartRun } from "../../runs/start-run.js"
import type { PushParts } from "./a2a-push.js"
import { PushConfigs } from "./a2a-push.js"
import { agentCard } from "./agent-card.js"
import { a2aHandler } from "./a2a-handler.js"

interface Packages {
  readonly sdk: typeof import("@a2a-js/sdk")
  readonly server: typeof import("@a2a-js/sdk/server")
  readonly errors: typeof import("@a2a-js/sdk/errors")
}

/** Imports the optional npm package `@a2a-js/sdk`, which push notifications need. */
export const loadA2aPackage = async (): Promise<Packages["sdk"]> => (await loadPackages()).sdk

async function loadPackages(): Promise<Packages> {
  try {
    const [sdk, server, errors] = await Promise.all([
      import("@a2a-js/sdk"),
      import("@a2a-js/sdk/server"),
      import("@a2a-js/sdk/errors"),
    ])
    return { sdk, server, errors }
  } catch (cause) {
    throw new HttpError(501, {
      code: "a2a_package_missing",
      message: `A2A needs the package @a2a-js/sdk; install it on the server with npm install @a2a-js/sdk (${cause instanceof Error ? cause.message : String(cause)})`,
    })
  }
}

const rpc = z.looseObject({})

/** Creates the routes of the protocol A2A 1.0 over JSON-RPC. Each workflow is an A2A agent. */
export function a2aRoutes(
  workflows: ServedWorkflows,
  runs: RunHub,
  start: StartRun,
  push: PushParts | null,
  version: string,
): Hono {
  const routes = new Hono()
  const agentUrl = (requestUrl: string, { id }: ServedWorkflow): string =>
    `${new URL(requestUrl).origin}/a2a/${id}`

  routes.get("/:workflow/.well-known/agent-card.json", async (context) => {
    const workflow = workflows.get(context.req.param("workflow"))
    const { sdk } = await loadPackages()
    // `toJSON` returns `unknown`, which is the type that the SDK declares for JSON.
    return context.json(
      sdk.AgentCard.toJSON(
        agentCard(workflow, agentUrl(context.req.url, workflow), version, push !== null),
      ),
    )
  })

  routes.post("/:workflow", async (context) => {
    const workflow = workflows.get(context.req.param("workflow"))
    const { sdk, server, errors } = await loadPackages()
    const body = await parseBody(context.req.raw, rpc)
    const card = agentCard(workflow, agentUrl(context.req.url, workflow), version, push !== null)
    const configs = push === null ? null : new PushConfigs(push, errors)
    const requestedVersion = context.req.header(sdk.A2A_VERSION_HEADER)
    const call = new server.ServerCallContext(
      requestedVersion === undefined ? {} : { requestedVersion },
    )
    const id = body["id"] ?? null
    const fail = (error: unknown): object => ({
      jsonrpc: "2.0",
      id,
      error: server.JsonRpcTransportHandler.mapToJSONRPCError(error),
    })
    try {
      server.validateVersion(call.requestedVersion, card, "JSONRPC")
    } catch (error) {
      return context.json(fail(error))
    }
    const disconnection = new AbortController()
    const { signal: disconnected } = disconnection
    const answer = await new server.JsonRpcTransportHandler(
      a2aHandler({ sdk, errors, workflow, runs, start, push: configs, card, disconnected }),
    ).handle(body, call)
    if (!(Symbol.asyncIterator in answer)) return context.json(answer)
    return streamSSE(context, async (stream) => {
      stream.onAbort(() => disconnection.abort())
      try {
        for await (const one of answer) {
          if (stream.aborted) break
          await stream.writeSSE({ data: JSON.stringify(one) })
        }
      } catch (error) {
        await stream.writeSSE({ event: "error", data: JSON.stringify(fail(error)) })
      }
    })
  })
  return routes
}
