import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { cli } from "./command.js"
import { planIndex, playPlan } from "./play-plan.js"
import { temporaryFolder } from "../support/temporary-folder.js"

const http = (id: string, dependencies: readonly string[], more: object = {}): object => ({
  id,
  type: "http",
  dependencies,
  http: { method: "GET", url: `https://graph.example.com/${id}` },
  ...more,
})

/** A graph in which every kind of condition decides which nodes run. */
const graph = {
  nodes: [
    http("start", [], {
      outputMapping: { state: "{{ data.raw.status }}", total: "{{ data.total }}" },
      conditions: {
        pollUntil: ['{{ data.raw.status != "open" }}'],
        terminateWhen: ["{{ data.total > 100 }}"],
        continueTo: [
          { to: "big", when: "{{ total >= 10 }}" },
          { to: "small", when: '{{ results.start.data.total < 10 and data.state = "ready" }}' },
        ],
      },
    }),
    http("big", ["start"]),
    http("small", ["start"]),
    {
      id: "fix",
      type: "error_boundary",
      protectedNodes: ["big"],
      http: { method: "POST", url: "https://graph.example.com/fix" },
    },
    http("list", ["big", "small"]),
    {
      id: "all",
      type: "forEach",
      dependencies: ["list"],
      forEach: { items: "{{ results.list.data.rows }}" },
    },
    http("each", ["all"]),
    { id: "all_end", type: "endForEach", forEachId: "all", dependencies: ["each"] },
    { id: "confirm", type: "confirmation", dependencies: ["all_end"] },
  ],
}

test("test-plan covers every transition of a graph, including failed nodes and rejections", async () => {
  const cwd = temporaryFolder("plan-")
  writeFileSync(join(cwd, "graph.json"), JSON.stringify(graph))
  const made = await cli(["test-plan", "graph.json", "-o", "plan", "--most", "150"], { cwd })
  expect(made.code, made.stderr).toBe(0)
  const index = planIndex(cwd)
  expect(index.missing.map(({ transition }) => transition)).toEqual([])
  expect(index.transitions.of).toBeGreaterThan(20)
  const names = index.scenarios.map(({ name }) => name.slice(name.lastIndexOf("; ") + 1).trim())
  for (const change of ["graph/big fails", "graph/fix fails", "graph/confirm is rejected"])
    expect(names).toContain(change)
  expect(await playPlan(index, cwd)).toMatchObject({ transitions: index.transitions, others: [] })
})
