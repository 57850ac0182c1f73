import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/index.js"
import { compile } from "../../src/compiler/index.js"
import { createRunner } from "../../src/runtime/index.js"

const { chart } = compile({
  dialect: "adk",
  rootAgentId: "desk",
  agents: [{ type: "LlmAgent", name: "desk", model: "any", instruction: "Help." }],
})

test.each(["end", "cancel"] as const)(
  "after %s, the result of an idle run resolves when the journal has stored the end",
  async (stop) => {
    const folder = mkdtempSync(join(tmpdir(), "ended-runs-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const journal = jsonlJournal(folder)
    const models = { any: { call: async () => ({ content: "Hello" }) } }
    const run = createRunner({ models, journal }).start(chart!, { prompt: "Hi" })
    const { status } = await run.result
    expect(status).toBe("completed")
    await run.whenSettled()

    void run[stop]()
    const result = await run.result

    const stored = stop === "end" ? "completed" : "cancelled"
    expect(result.status).toBe(stored)
    expect((await journal.list()).map(({ status }) => status)).toEqual([stored])
    expect(await journal.load(run.runId)).toMatchObject({
      records: expect.arrayContaining([
        [-1, "", expect.objectContaining({ as: stored }), expect.any(Number)],
      ]),
    })
  },
)
