import { describe, expect, test } from "vitest"
import { AgentTree } from "../../src/cli/progress/agent-tree.js"
import { clip, clipStart, textWidth } from "../../src/cli/terminal/column-text.js"
import { treeRows } from "../../src/cli/progress/tree-rows.js"
import { createPaint } from "../../src/cli/terminal/paint.js"
import { compile } from "../../src/compiler/compile.js"
import type { RunEvent } from "../../src/machines/contract/run-event.js"

const { chart } = compile(
  { rootAgentId: "clerk", agents: [{ type: "LlmAgent", name: "clerk", model: "m" }] },
  { dialect: "adk" },
)
const place = { seq: 0, at: 0, runId: "r", agent: "clerk", path: "clerk", branch: null }
const call = { call: "r/clerk#0", attempt: 1 }

const rowAfter = (...events: readonly RunEvent[]): string => {
  if (chart === null) throw new Error("the chart does not compile")
  const tree = new AgentTree(chart)
  for (const event of events) tree.update(event)
  return treeRows(tree, { now: 0, tick: 0, columns: 60, rows: 10, paint: createPaint(false) }).join(
    "\n",
  )
}

describe("the streamed text of a model in the live view", () => {
  const called: RunEvent = { ...place, type: "model.called", ...call, messages: 2 }
  const said = (text: string): RunEvent => ({ ...place, type: "model.delta", ...call, text })

  test("the live view shows the streamed text of a model, and only the end of a long text", () => {
    expect(rowAfter(called)).toContain("calls its model")
    expect(rowAfter(called, said("Good "), said("morning."))).toMatch(/clerk .*Good morning\.$/)
    const long = rowAfter(
      called,
      ...Array.from({ length: 200 }, (_, index) => said(`word${index} `)),
    )
    expect(long).toMatch(/….*word198 word199$/)
    expect(long.length).toBeLessThan(60)
  })

  test("the live view removes the streamed text of an attempt that fails", () => {
    const error = { code: "service_unreachable", message: "it is gone", retryable: true } as const
    const retry: RunEvent = {
      ...place,
      type: "retry.scheduled",
      of: call.call,
      attempt: 2,
      until: 0,
      error,
    }
    const row = rowAfter(called, said("Good "), retry)
    expect(row).not.toContain("Good")
    expect(row).toContain("will retry (attempt 2): it is gone")
  })

  test("the live view escapes control characters and line breaks in streamed text", () => {
    expect(rowAfter(called, said("a\u001b[2Jb\nc"))).toMatch(/a\\u001b\[2Jb c$/)
  })

  test.each([
    ["short", 10, "short"],
    ["a long text", 6, "…text"],
    ["日本語の文", 7, "…語の文"],
    ["anything", 0, ""],
    ["two families 👨‍👩‍👧‍👦👩‍👩‍👧", 4, "…👩‍👩‍👧"],
    ["flags 🇦🇹🇯🇵", 5, "…🇦🇹🇯🇵"],
  ])("the end of %j in %i columns is %j", (text, columns, expected) => {
    expect(clipStart(text, columns)).toBe(expected)
  })

  test.each([
    ["👨‍👩‍👧‍👦👩‍👩‍👧 two families", 4, "👨‍👩‍👧‍👦…"],
    ["🇦🇹🇯🇵 flags", 5, "🇦🇹🇯🇵…"],
    ["日本語の文", 6, "日本…"],
  ])("the start of %j in %i columns is %j", (text, columns, expected) => {
    expect(clip(text, columns)).toBe(expected)
    expect(textWidth(expected)).toBeLessThanOrEqual(columns)
  })
})
