import type { Client } from "@modelcontextprotocol/client"
import { describe, expect, test } from "vitest"
import type { ReachedServer } from "../../../src/adapters/tool/mcp/connection/connect.js"
import { mcpConnection } from "../../../src/adapters/tool/mcp/connection/mcp-connection.js"
import { simulatedClock } from "../../support/simulated-clock.js"

const nobodyStops = new AbortController().signal

/** Returns a connection whose attempts succeed, fail or hang as specified, and the times of its attempts. */
function connectionOver(outcome: (attempt: number) => "made" | "fails" | "hangs", waitMs = 60_000) {
  const clock = simulatedClock(0)
  const attempts: number[] = []
  const closed: number[] = []
  const connection = mcpConnection({
    clock,
    waitMs,
    serverName: "there",
    connect(_ended, signal) {
      const attempt = attempts.push(clock.now())
      const what = outcome(attempt)
      if (what === "fails") return Promise.reject(new Error(`attempt ${attempt}`))
      if (what === "hangs")
        return new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason as Error)),
        )
      // The tests send no requests over this connection.
      const reached: ReachedServer = {
        client: {} as Client,
        hasSession: () => false,
        idle: async () => {},
        close: async () => void closed.push(attempt),
      }
      return Promise.resolve(reached)
    },
  })
  const pauses = (): readonly number[] =>
    attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0))
  return { connection, clock, attempts, closed, pauses }
}

describe("the connection to an MCP server", () => {
  test("is shared by all callers", async () => {
    const { connection, attempts } = connectionOver(() => "made")
    const [one, other] = await Promise.all([
      connection.reached(nobodyStops),
      connection.reached(nobodyStops),
    ])
    expect(one).toBe(other)
    expect(await connection.reached(nobodyStops)).toBe(one)
    expect(attempts).toHaveLength(1)
  })

  test("fails at once if the first attempt fails, and is attempted again for the next caller", async () => {
    const { connection, attempts } = connectionOver((attempt) => (attempt === 1 ? "fails" : "made"))
    await expect(connection.reached(nobodyStops)).rejects.toThrow("attempt 1")
    await connection.reached(nobodyStops)
    expect(attempts).toEqual([0, 0])
  })

  test("is attempted again after increasing delays, for a limited number of times", async () => {
    const { connection, clock, closed, pauses } = connectionOver((attempt) =>
      attempt === 1 ? "made" : "fails",
    )
    connection.lost(await connection.reached(nobodyStops))
    await clock.runUntilIdle()
    expect(closed).toEqual([1])
    expect(pauses()).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000, 5000, 5000])
  })

  test("increases its delay if the server disconnects before it responds, and resets it after a response", async () => {
    const { connection, clock, pauses } = connectionOver(() => "made")
    for (let times = 0; times < 4; times++) {
      const reached = connection.reached(nobodyStops)
      await clock.runUntilIdle()
      if (times === 3) connection.answered()
      connection.lost(await reached)
    }
    const last = connection.reached(nobodyStops)
    await clock.runUntilIdle()
    await last
    expect(pauses()).toEqual([100, 200, 400, 100])
  })

  test("is not affected if an old connection is lost again", async () => {
    const { connection, clock, attempts } = connectionOver(() => "made")
    const first = await connection.reached(nobodyStops)
    connection.lost(first)
    const again = connection.reached(nobodyStops)
    await clock.runUntilIdle()
    connection.lost(first)
    expect(await connection.reached(nobodyStops)).toBe(await again)
    expect(attempts).toHaveLength(2)
  })

  test("fails for a waiting caller after waitMs", async () => {
    const { connection, clock } = connectionOver(
      (attempt) => (attempt === 1 ? "made" : "hangs"),
      1_000,
    )
    connection.lost(await connection.reached(nobodyStops))
    const late = expect(connection.reached(nobodyStops)).rejects.toMatchObject({
      code: "service_unreachable",
      message: "the MCP server there disconnected and did not reconnect within 1000 ms",
    })
    await clock.runUntilIdle()
    await late
    expect(clock.now()).toBe(1_000)
  })

  test("has no attempt and no timer after it is closed, and a waiting caller receives an error", async () => {
    const { connection, clock, attempts } = connectionOver((attempt) =>
      attempt === 1 ? "made" : "hangs",
    )
    connection.lost(await connection.reached(nobodyStops))
    const waiting = expect(connection.reached(nobodyStops)).rejects.toMatchObject({
      code: "service_unreachable",
      message: expect.stringContaining("was closed"),
    })
    await connection.close()
    await waiting
    await clock.runUntilIdle()
    expect(clock.now()).toBe(0)
    expect(attempts).toHaveLength(1)
  })

  test("rejects a waiting caller as soon as its signal is aborted", async () => {
    const { connection, clock } = connectionOver((attempt) => (attempt === 1 ? "made" : "hangs"))
    connection.lost(await connection.reached(nobodyStops))
    const stopping = new AbortController()
    const stopped = expect(connection.reached(stopping.signal)).rejects.toThrow("no need")
    stopping.abort(new Error("no need"))
    await stopped
    await connection.close()
    await clock.runUntilIdle()
    expect(clock.now()).toBe(0)
  })
})
