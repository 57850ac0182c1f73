// A program without Node, for a page and for a worker. It uses the package as users import it.
import { compileOrThrow, createRunner } from "agent-statecharts"
import { createHttpServices } from "agent-statecharts/adapters/http"
import { openAiModel } from "agent-statecharts/adapters/model/openai"

/** Plays a workflow whose model, agent and tool are served by `origin`. */
export async function play(origin) {
  const chart = compileOrThrow({
    rootAgentId: "line",
    agents: [
      {
        type: "SequentialAgent",
        id: "line",
        subAgents: [{ agentId: "writer" }, { agentId: "critic" }],
      },
      { type: "LlmAgent", id: "writer", model: "writer", tools: ["look"], outputKey: "text" },
      { type: "LlmAgent", id: "critic", httpConfig: { url: `${origin}/critic`, method: "POST" } },
    ],
    globalTools: [
      {
        type: "HttpTool",
        id: "look",
        description: "Looks at the sky.",
        parameters: { type: "object", properties: { city: { type: "string" } } },
        httpConfig: {
          url: `${origin}/look`,
          method: "POST",
          headers: { authorization: "Bearer {{ $secret('key') }}" },
        },
      },
    ],
  })
  const model = openAiModel({ baseUrl: `${origin}/v1`, model: "gpt-5", apiKey: "key-of-the-page" })
  const runner = createRunner({
    models: { writer: model },
    secrets: { read: (name) => (name === "key" ? "canary-of-the-tool" : undefined) },
  })
  const run = runner.start(chart, { prompt: "Rome?" })
  const deltas = []
  run.events$.subscribe((event) => event.type === "model.delta" && deltas.push(event.text))
  const { status, text, state, error } = await run.result
  await runner.close()
  await model.close()
  return { runId: run.runId, status, text, state, error, deltas }
}

/** Calls an URL and returns the failure of the call. */
export async function fail(url, options = {}) {
  const http = createHttpServices({ maxResponseBytes: 1000, ...options })
  const request = {
    runId: "r",
    agent: "a",
    path: "a",
    branch: null,
    idempotencyKey: "k",
    attempt: 1,
    tool: "look",
    callId: "c",
    arguments: {},
    state: { place: location.origin },
    context: {},
    grantedSecret: null,
    endpoint: { url, method: "GET", headers: {} },
  }
  try {
    return await http.tool.call(request, { signal: AbortSignal.timeout(10_000) })
  } catch (error) {
    return error.failure ?? String(error)
  } finally {
    await http.close()
  }
}

/** Returns the code of the error that an option of Node causes. */
export function refuse(options) {
  try {
    createHttpServices(options)
  } catch (error) {
    return error.code
  }
}
