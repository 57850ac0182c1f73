import { spawn } from "node:child_process"
import { join } from "node:path"
import type { TestContext } from "vitest"
import { describe, expect, onTestFinished, test } from "vitest"
import { openPage } from "../support/browser.js"
import { examplesFolder } from "./example-folder.js"
import { temporaryFolder } from "../support/temporary-folder.js"

/** Starts a program that serves a page, and waits until it prints the address. */
async function serve(program: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [join(examplesFolder, program)], {
    env: { ...process.env, RUNS: temporaryFolder("runs-"), ...env },
  })
  const ended = new Promise((resolve) => child.on("close", resolve))
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM")
    await ended
  }
  onTestFinished(stop)
  let said = ""
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString()
      const found = /^Open (\S+)$/m.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout.on("data", hear)
    child.stderr.on("data", hear)
    void ended.then(() => reject(new Error(`${program} ended:\n${said}`)))
  })
  return { url, stop }
}

const open = async (context: TestContext, program: string) =>
  openPage(context, (await serve(program)).url)

describe("embed-browser, which compiles and runs a workflow in a page", () => {
  const program = "embed-browser/serve.mjs"

  test("a workflow runs to its end under a content security policy that forbids eval", async (context) => {
    const { page, problems } = await open(context, program)
    await page.getByRole("button", { name: "Run" }).click()
    await page.locator("#result", { hasText: "completed" }).waitFor()
    expect(await page.locator("#result").textContent()).toContain("the arrow knows why it went")
    expect(await page.locator("#events li").allTextContents()).toEqual(
      expect.arrayContaining(["agent.started rounds[1]/poet", "loop.ended rounds"]),
    )
    expect(problems).toEqual([])
  })

  test("the page shows the error in a config and does not run it", async (context) => {
    const { page, problems } = await open(context, program)
    const config = page.getByLabel("Workflow")
    await config.fill(
      (await config.inputValue()).replace('"agentId": "critic"', '"agentId": "critc"'),
    )
    await page.getByRole("button", { name: "Run" }).click()
    await page.getByRole("alert").filter({ hasText: "critc" }).waitFor()
    expect(await page.locator("#events li").count()).toBe(0)
    expect(problems).toEqual([])
  })
})

describe("embed-backend, which shows the runs of a server in a page", () => {
  const program = "embed-backend/server.mjs"

  test("a person sees the events and approves or rejects", async (context) => {
    const { page, problems } = await open(context, program)
    await page.getByRole("button", { name: "Start" }).click()
    await page.getByText("Pay 1,940 EUR").waitFor()
    await page.getByRole("button", { name: "Approve" }).click()
    await page.getByText("Pay 2,760 EUR").waitFor()
    await page.getByRole("button", { name: "Reject" }).click()
    await page.locator("#status", { hasText: "completed" }).waitFor()
    expect(await page.locator("#events li").allTextContents()).toContain(
      "human.answered payments_agent",
    )
    expect(problems).toEqual([])
  })

  test("a client that reconnects receives the events after the last one that it received", async () => {
    const { url } = await serve(program)
    const { runId } = (await (await fetch(`${url}runs`, { method: "POST" })).json()) as {
      readonly runId: string
    }
    const all = await readUntil(`${url}runs/${runId}/events`, "human.asked")
    expect(all.map(({ id }) => id)).toEqual(all.map((_, index) => index))
    const rest = await readUntil(`${url}runs/${runId}/events`, "human.asked", {
      "last-event-id": "2",
    })
    expect(rest).toEqual(all.slice(3))
  })

  test("a waiting run has the same events after the server restarts", async () => {
    const RUNS = temporaryFolder("runs-")
    const first = await serve(program, { RUNS })
    const { runId } = (await (await fetch(`${first.url}runs`, { method: "POST" })).json()) as {
      readonly runId: string
    }
    const before = await readUntil(`${first.url}runs/${runId}/events`, "human.asked")
    await first.stop()
    const second = await serve(program, { RUNS })
    expect(await readUntil(`${second.url}runs/${runId}/events`, "human.asked")).toEqual(before)
  })

  test("a request for an unknown run receives status 404 and the code run_unknown", async () => {
    const { url } = await serve(program)
    const response = await fetch(`${url}runs/nobody/events`)
    expect([response.status, await response.json()]).toEqual([
      404,
      expect.objectContaining({ error: "run_unknown" }),
    ])
  })
})

interface Streamed {
  readonly id: number
  readonly type: string
}

/** Reads server-sent events until an event of this type arrives. */
async function readUntil(
  url: string,
  type: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly Streamed[]> {
  const response = await fetch(url, { headers })
  const events: Streamed[] = []
  let text = ""
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(chunk)
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const lines = new Map(
        text
          .slice(0, end)
          .split("\n")
          .map((line) => [line.split(": ", 1)[0], line.slice(line.indexOf(": ") + 2)] as const),
      )
      text = text.slice(end + 2)
      const data = JSON.parse(lines.get("data") ?? "{}") as { readonly type: string }
      events.push({ id: Number(lines.get("id")), type: data.type })
      if (data.type === type) return events
    }
  }
  throw new Error(`the stream ended without "${type}"`)
}
