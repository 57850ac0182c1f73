import assert from "node:assert/strict"
import { createServer } from "node:http"
import { cancelInvocation } from "../../engines/restate/server.mjs"
import { chartOf, side } from "./charts.mjs"
import { invocationOf } from "./invocation.mjs"
import { until } from "./patiently.mjs"

/** Starts a service that accepts calls and never responds. */
async function silentService() {
  const closed = []
  const keys = []
  const server = createServer((request, response) => {
    keys.push(request.headers["idempotency-key"])
    response.on("close", () => closed.push(performance.now()))
    request.resume()
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    keys,
    closed,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  }
}

/** Starts a run that calls the service three times in parallel, and waits for the three calls. */
async function askingThrice(world, runId, service) {
  const agents = ["one", "two", "three"].map((id) => ({
    type: "LlmAgent",
    id,
    httpConfig: { url: service.url, method: "POST" },
  }))
  await world.ask((runs) =>
    runs.start(runId, {
      chart: chartOf({
        rootAgentId: "all",
        agents: [side("all", agents), ...agents],
        state: { kept: "yes" },
      }),
    }),
  )
  await until(async () => (service.keys.length >= 3 ? true : null))
}

const allClosed = (service, count) =>
  until(async () => (service.closed.length === count ? Math.max(...service.closed) : null))

/** Measures again if a cluster moves the run to another leader during the measurement, because the calls are then repeated. */
async function cancelTime(world, runId, cancel) {
  for (let n = 0; n < 4; n++) {
    const time = await undisturbedCancelTime(world, `${runId}.${n}`, cancel)
    if (time !== null) return time
  }
  throw new Error(
    "calls were made again each time: those of a run that was cancelled, or the cluster does not come to rest",
  )
}

/**
 * Returns the milliseconds from the cancellation until the last of three sockets of the service is
 * closed. Null if calls were repeated.
 */
async function undisturbedCancelTime(world, runId, cancel) {
  const service = await silentService()
  try {
    await askingThrice(world, runId, service)
    const give = await cancel(runId)
    const ordered = performance.now()
    await give()
    const { status, state } = await world.ask((runs) => runs.result(runId))
    assert.deepEqual({ status, kept: state.kept }, { status: "cancelled", kept: "yes" })
    const last = await until(async () =>
      service.closed.length === service.keys.length ? Math.max(...service.closed) : null,
    )
    return service.keys.length === 3 ? last - ordered : null
  } finally {
    await service.close()
  }
}

/** Checks that calls in flight are aborted when the server is lost, and repeated with the same keys when it is back. */
export async function lettingGo(world, name) {
  const service = await silentService()
  try {
    await askingThrice(world, name, service)
    const killed = performance.now()
    await world.killNode(world.nodes[0])
    const last = await allClosed(service, 3)
    assert.ok(last - killed < 1_000, `the sockets were open for ${last - killed} ms more`)
    await world.startNode(world.nodes[0])
    await until(async () => (service.keys.length === 6 ? true : null))
    assert.deepEqual(service.keys.slice(3).sort(), service.keys.slice(0, 3).sort())
    await world.ask((runs) => runs.give(name, { type: "cancel" }))
    await allClosed(service, 6)
    return `${Math.round(last - killed)} ms`
  } finally {
    await service.close()
  }
}

/** Each trial is measured several times. The median must be at most 100 ms. */
export const cancelTrials = {
  "a run that is cancelled by a message closes its sockets within 100 ms": (world, name, n) =>
    cancelTime(
      world,
      `${name}-${n}`,
      (runId) => () => world.runs().give(runId, { type: "cancel" }),
    ),
  "a run whose invocation is cancelled in Restate closes its sockets within 100 ms": (
    world,
    name,
    n,
  ) =>
    cancelTime(world, `${name}-${n}`, async (runId) => {
      const { id } = await invocationOf(world, runId)
      return () => cancelInvocation(world.admin(), id)
    }),
}
