import { describe, expect, test } from "vitest"
import { silentServer } from "../support/silent-server.js"
import { cli, folderWith, isBuilt, start } from "./command.js"

describe.skipIf(!isBuilt)("cancellation on the command line", () => {
  const workflow = async () => {
    const server = await silentServer(({ url }) => (url === "/asker" ? { content: "What?" } : null))
    const agent = (id: string) => ({
      type: "LlmAgent",
      id,
      outputKey: `${id}_text`,
      httpConfig: { url: `${server.url}/${id}`, method: "POST" },
    })
    const agents = [
      {
        type: "SequentialAgent",
        id: "pair",
        subAgents: [{ agentId: "asker" }, { agentId: "teller" }],
      },
      agent("asker"),
      agent("teller"),
    ]
    return {
      server,
      cwd: folderWith({ "pair.json": { rootAgentId: "pair", initialUserInput: "Hello?", agents } }),
    }
  }

  test.each([
    ["cancels a run without a journal", ["--no-journal"]],
    ["interrupts a run with a journal", ["--run-id", "r"]],
  ])("Ctrl-C %s and closes the connection to the model server", async (_, options) => {
    const { server, cwd } = await workflow()
    const { child, ended } = start(["run", "pair.json", ...options], { cwd })
    await server.arrived(1)
    child.kill("SIGINT")
    await server.closed()
    expect((await ended).code).toBe(130)
  })

  test("runs cancel cancels an interrupted run without repeating its call, and rejects an active run", async () => {
    const { server, cwd } = await workflow()
    const { child, ended } = start(["run", "pair.json", "--run-id", "r"], { cwd })
    await server.arrived(1)
    expect(await cli(["runs", "cancel", "r"], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("run_owned"),
    })
    child.kill("SIGINT")
    await ended
    const cancelled = await cli(["runs", "cancel", "r"], { cwd })
    expect(cancelled).toMatchObject({ code: 130, stdout: expect.stringContaining("What?") })
    await server.closed()
    expect(server.unanswered()).toBe(1)
    expect(JSON.parse((await cli(["runs", "show", "r", "--json"], { cwd })).stdout)).toMatchObject({
      status: "cancelled",
    })
  })
})
