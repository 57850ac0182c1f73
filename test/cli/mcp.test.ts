import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/index.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import type { StdioClient } from "../server/mcp-clients.js"
import { eras, stdioClient, textOf, told } from "../server/mcp-clients.js"
import { cliProcess, isBuilt } from "./command.js"

function folder(): { readonly work: string; readonly runs: string } {
  const place = mkdtempSync(join(tmpdir(), "mcp-"))
  onTestFinished(() => rmSync(place, { recursive: true }))
  const work = join(place, "work")
  cpSync(join(projectFolder, "examples", "human-approval"), join(work, "human-approval"), {
    recursive: true,
  })
  return { work, runs: join(place, "runs") }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Polls a condition, because the other process does not notify the test. */
const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}

const listed = async (runs: string) =>
  (await jsonlJournal(runs).list()).map(({ runId, status }) => ({ runId, status }))

describe.skipIf(!isBuilt)("agent-statecharts mcp, started by the official client", () => {
  test.each(eras)(
    "the mcp command sends pending requests as forms and returns the result of the workflow (%s)",
    async (era) => {
      const { work, runs } = folder()
      const forms: string[] = []
      const { client, complained } = await stdioClient([work, "--scripted", "--journal", runs], {
        era,
        person: ({ message }) => {
          forms.push(message)
          return {
            action: "accept",
            content:
              forms.length === 1
                ? { approved: true }
                : { approved: false, reason: "Call them first." },
          }
        },
      })
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
        "human-approval",
        "answer_run",
      ])
      const progress: unknown[] = []
      const done = await client.callTool(
        { name: "human-approval", arguments: { prompt: "Pay what we owe." } },
        { onprogress: ({ message }) => progress.push(message) },
      )
      expect(forms).toEqual([expect.stringContaining("1,940"), expect.stringContaining("2,760")])
      expect(told(done)).toMatchObject({
        status: "completed",
        text: expect.stringContaining("Not paid"),
      })
      expect(progress).toContain("Agent payments_agent calls tool open_invoices")
      expect(await listed(runs)).toEqual([{ runId: told(done).runId, status: "completed" }])
      expect(complained()).toContain("Serving 1 workflow as an MCP tool.")
    },
  )

  test("the mcp command ends with its client, and the next process answers the waiting run", async () => {
    const { work, runs } = folder()
    const open = (): Promise<StdioClient> => stdioClient([work, "--scripted", "--journal", runs])
    const first = await open()
    const { runId, status } = told(
      await first.client.callTool({ name: "human-approval", arguments: {} }),
    )
    expect(status).toBe("waiting")
    await first.client.close()
    await until(() => !isAlive(first.pid))
    const next = await open()
    const second = await next.client.callTool({
      name: "answer_run",
      arguments: { runId, approved: true },
    })
    expect(told(second)).toMatchObject({
      runId,
      status: "waiting",
      pending: [{ prompt: expect.stringContaining("2,760") }],
    })
  })

  describe.each(eras)("an active run (%s)", (era) => {
    const working = async () => {
      const { work, runs } = folder()
      writeFileSync(
        join(work, "slow.json"),
        JSON.stringify({
          rootAgentId: "slow",
          agents: [
            {
              type: "LlmAgent",
              id: "slow",
              httpConfig: { url: "http://llm.test/slow", method: "POST" },
            },
          ],
        }),
      )
      writeFileSync(
        join(work, "scenario.json"),
        JSON.stringify({ llm: { slow: [{ delayMs: 600_000, content: "Too late." }] } }),
      )
      const opened = await stdioClient([work, "--scripted", "--journal", runs], { era })
      const cancelling = new AbortController()
      const called = expect(
        opened.client.callTool(
          { name: "slow", arguments: { prompt: "Go." } },
          { signal: cancelling.signal },
        ),
      ).rejects.toThrow()
      await until(async () => (await listed(runs)).length === 1)
      return { ...opened, runs, cancelling, called }
    }

    test("an active run is cancelled when the client cancels its request", async () => {
      const { runs, cancelling, called } = await working()
      cancelling.abort()
      await called
      await until(async () => (await listed(runs))[0]?.status === "cancelled")
    })

    test("an active run is not cancelled when the client disconnects", async () => {
      const { client, pid, runs, called } = await working()
      await client.close()
      await called
      await until(() => !isAlive(pid))
      expect(await listed(runs)).toMatchObject([{ status: "running" }])
    })
  })

  test("the output of host functions goes to stderr, not into the protocol", async () => {
    const { work, runs } = folder()
    const chatty = {
      dialect: "adk",
      name: "chatty",
      model: "any",
      instruction: "Look.",
      tools: ["look"],
      globalTools: [{ type: "FunctionTool", id: "look" }],
    }
    writeFileSync(join(work, "chatty.json"), JSON.stringify(chatty))
    writeFileSync(
      join(work, "services.mjs"),
      `console.log("loaded")
       export const services = { look: () => { console.log("looking"); process.stdout.write("still looking\\n"); return "seen" } }
       export const models = { any: { call: async ({ messages }) => messages.at(-1).role === "tool" ? { content: "Done." } : { toolCalls: [{ function_name: "look", function_args: {} }] } } }`,
    )
    const { client, complained } = await stdioClient([
      join(work, "chatty.json"),
      "--services",
      join(work, "services.mjs"),
      "--journal",
      runs,
    ])
    const problems: unknown[] = []
    client.onerror = (error) => problems.push(error)
    expect(
      textOf(await client.callTool({ name: "chatty", arguments: { prompt: "Look." } })),
    ).toContain("Done.")
    expect(problems).toEqual([])
    await until(() => complained().includes("still looking"))
    expect(complained()).toMatch(/loaded[^]*looking/)
  })

  test("the mcp command reports invalid workflows and a missing file or folder", async () => {
    const { work, runs } = folder()
    writeFileSync(
      join(work, "broken.json"),
      JSON.stringify({ rootAgentId: "nobody", agents: [{ type: "LlmAgent", id: "somebody" }] }),
    )
    const { client, complained } = await stdioClient([work, "--scripted", "--journal", runs])
    expect((await client.listTools()).tools).toHaveLength(2)
    expect(await cliProcess(["mcp", work, "--journal", runs])).toMatchObject({
      code: 0,
      stdout: "",
    })
    expect(complained()).toContain("broken.json has errors and is not served")
    const { code, stdout, stderr } = await cliProcess(["mcp", "nowhere"])
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain("the file or folder nowhere does not exist")
  })
})
