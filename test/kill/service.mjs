import { createServer } from "node:http"
import { answerOfNode } from "./graph.mjs"
import { answerFor, answerMs, failsFirst } from "./workflow.mjs"

/**
 * Starts models and tools over HTTP that count how often each idempotency key is executed. `asked`
 * is called with the run id of each call.
 */
export async function startService(asked = () => {}) {
  const runs = new Map()
  const server = createServer((request, response) => {
    const [, kind, id] = request.url.split("/")
    const key = request.headers["idempotency-key"]
    const chunks = []
    request.on("data", (chunk) => chunks.push(chunk))
    request.on("error", () => {}) // the caller was killed during its request
    request.on("end", () => {
      const counts = of(key?.split("/")[0] ?? "")
      if (key === undefined) counts.withoutKey++
      const times = (counts.asked.get(key) ?? 0) + 1
      counts.asked.set(key, times)
      const fails = failsFirst.has(`${kind} ${id}`) && times === 1
      if (!fails) counts.carriedOut.set(key, (counts.carriedOut.get(key) ?? 0) + 1)
      asked(key?.split("/")[0] ?? "")
      setTimeout(
        () => {
          const { status, body } = fails
            ? { status: 503, body: { error: "busy" } }
            : kind === "node"
              ? answerOfNode(id, key ?? "")
              : { status: 200, body: answerFor(kind, id, key ?? "") }
          // The headers of a response are part of the result of a node, so they are the same each time.
          response.sendDate = false
          response.writeHead(status, { "content-type": "application/json" })
          response.end(JSON.stringify(body))
        },
        answerMs(key ?? ""),
      ).unref()
    })
  })
  // A busy client may use an idle connection in the moment in which the server closes it.
  server.keepAliveTimeout = 120_000
  const of = (run) => {
    if (!runs.has(run)) runs.set(run, { withoutKey: 0, asked: new Map(), carriedOut: new Map() })
    return runs.get(run)
  }
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    base: `http://127.0.0.1:${server.address().port}`,
    of,
    withoutRun: () => of("").asked.size,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  }
}
