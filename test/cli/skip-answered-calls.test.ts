import { expect, test } from "vitest"
import { skipAnsweredCalls } from "../../src/cli/services/skip-answered-calls.js"
import type { RunEvent } from "../../src/machines/contract/run-event.js"
import { createRunner } from "../../src/runtime/index.js"
import { scriptedServices } from "../support/scripted-services.js"
import { simulatedClock } from "../support/simulated-clock.js"
import { chartOf, httpTool, llm, sequence } from "../support/workflow.js"

const look = (id: string) => ({ id, function_name: "look", function_args: {} })

test("a script is advanced past failed attempts of tool calls, but not past calls in flight", async () => {
  const clock = simulatedClock(1000)
  const chart = chartOf([sequence("all", ["writer"]), llm("writer", { tools: ["look"] })], {
    globalTools: [
      httpTool("look", {
        activityConfig: { retryPolicy: { maximumAttempts: 2, initialInterval: "5s" } },
      }),
    ],
  })
  const services = scriptedServices(
    {
      writer: [{ content: null, toolCalls: [look("a/1"), look("b")] }, { content: "Done." }],
    },
    { look: [{ status: 503 }, { ok: true }] },
  )
  const events: RunEvent[] = []
  const run = createRunner({ ...services, clock }).start(chart)
  run.events$.subscribe((event) => events.push(event))
  await clock.runUntilIdle()

  const skipped = (isLast: (event: RunEvent) => boolean): readonly unknown[] => {
    const end = events.findIndex(isLast) + 1
    expect(end).toBeGreaterThan(0)
    const counts: unknown[] = []
    skipAnsweredCalls(events.slice(0, end), {
      skip: (kind, id, count) => counts.push([kind, id, count]),
    })
    return counts
  }
  // The first attempt of one call has failed. The other call has succeeded.
  expect(skipped(({ type }) => type === "retry.scheduled")).toContainEqual(["tool", "look", 1])
  expect(skipped((event) => event.type === "tool.called" && event.attempt === 2)).toEqual([
    ["llm", "writer", 1],
    ["tool", "look", 2],
  ])
  expect(skipped(({ type }) => type === "run.finished")).toEqual([
    ["llm", "writer", 2],
    ["tool", "look", 3],
  ])
})
