import { rmSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import { cli, folderWith, isBuilt, start } from "../../cli/command.js"
import type { A2aAgent } from "../../support/a2a-agent.js"
import { startA2aAgent } from "../../support/a2a-agent.js"

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function remoteAgent(): Promise<A2aAgent> {
  const agent = await startA2aAgent()
  closing.push(() => {
    agent.release()
    return agent.kill()
  })
  return agent
}

/** Writes a workflow with one remote agent to a folder, and returns the folder. */
function folderFor({ url }: A2aAgent): string {
  const folder = folderWith({
    "answers.json": [{ answer: "blue" }],
    "workflow.json": {
      rootAgentId: "helper",
      agents: [{ type: "RemoteA2AAgent", id: "helper", agentCard: url }],
    },
  })
  closing.push(() => rmSync(folder, { recursive: true }))
  return folder
}

describe.skipIf(!isBuilt)("a run that is killed during a remote task", () => {
  test("continues with the same task", async () => {
    const remote = await remoteAgent()
    const folder = folderFor(remote)
    const journal = ["--journal", join(folder, "runs")]
    const file = join(folder, "workflow.json")
    const options = [...journal, "--run-id", "r1", "--prompt", "hold"]
    const { child, ended } = start(["run", file, ...options])
    await remote.until(() => remote.messages.length === 1)
    child.kill("SIGKILL")
    await ended
    const before = remote.requests.length
    const resumed = cli(["resume", "r1", ...journal, "--json"])
    await remote.until(() =>
      remote.requests.slice(before).some(({ method }) => method === "GetTask"),
    )
    remote.release()
    const { code, stdout, stderr } = await resumed
    expect({ code, stderr }, stdout).toMatchObject({ code: 0 })
    expect(stdout).toContain("You said: hold")
    expect(remote.messages).toHaveLength(1)
  })

  test("a resumed run keeps the question of the remote agent and sends the answer once", async () => {
    const remote = await remoteAgent()
    const folder = folderFor(remote)
    const journal = ["--journal", join(folder, "runs")]
    const file = join(folder, "workflow.json")
    const options = [...journal, "--run-id", "r1", "--prompt", "ask"]
    const answers = ["--answers", join(folder, "answers.json")]
    const waiting = await cli(["run", file, ...options])
    expect(waiting.code).toBe(3)
    const answered = await cli(["resume", "r1", ...journal, ...answers, "--json"])
    expect(answered.stdout).toContain("You said: blue")
    expect(remote.messages).toHaveLength(2)
  })
})
