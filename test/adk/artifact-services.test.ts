import { describe, expect, test } from "vitest"
import type { BaseArtifactService, Context } from "agent-statecharts/adk"
import {
  FunctionTool,
  InMemoryArtifactService,
  InMemorySessionService,
  LlmAgent,
  Runner,
} from "agent-statecharts/adk"

const key = { appName: "desk", userId: "ada", sessionId: "s0" }

describe("InMemoryArtifactService", () => {
  test("artifact versions start at 0, and the newest or any other version can be loaded", async () => {
    const service = new InMemoryArtifactService()
    const file = { ...key, filename: "note.txt" }
    expect(await service.loadArtifact(file)).toBeUndefined()
    expect(await service.listVersions(file)).toEqual([])
    expect(await service.saveArtifact({ ...file, artifact: { text: "first" } })).toBe(0)
    const image = { inlineData: { mimeType: "image/png", data: "AAAA" } }
    const customMetadata = { by: "ada" }
    expect(await service.saveArtifact({ ...file, artifact: image, customMetadata })).toBe(1)
    expect(await service.loadArtifact(file)).toEqual(image)
    expect(await service.loadArtifact({ ...file, version: 0 })).toEqual({ text: "first" })
    expect(await service.loadArtifact({ ...file, version: 2 })).toBeUndefined()
    expect(await service.listVersions(file)).toEqual([0, 1])
    const versions = [{ version: 0 }, { version: 1, mimeType: "image/png", customMetadata }]
    expect(await service.listArtifactVersions(file)).toEqual(versions)
    expect(await service.getArtifactVersion(file)).toEqual(versions[1])
    expect(await service.getArtifactVersion({ ...file, version: 0 })).toEqual(versions[0])
    expect(await service.getArtifactVersion({ ...file, version: 2 })).toBeUndefined()
    await service.deleteArtifact(file)
    await service.deleteArtifact(file)
    expect(await service.listArtifactKeys(key)).toEqual([])
  })

  test("artifacts with the prefix user: are shared between the sessions of a user", async () => {
    const service = new InMemoryArtifactService()
    const artifact = { text: "x" }
    for (const filename of ["b", "user:a", "__proto__"])
      await service.saveArtifact({ ...key, filename, artifact })
    const other = { ...key, sessionId: "s1" }
    expect(await service.listArtifactKeys(key)).toEqual(["__proto__", "b", "user:a"])
    expect(await service.listArtifactKeys(other)).toEqual(["user:a"])
    expect(await service.listArtifactKeys({ ...other, userId: "bob" })).toEqual([])
    expect(await service.loadArtifact({ ...other, filename: "user:a" })).toEqual(artifact)
  })

  test("the service stores copies and refuses empty artifacts", async () => {
    const service = new InMemoryArtifactService()
    const file = { ...key, filename: "a" }
    const artifact = { inlineData: { mimeType: "text/plain", data: "AAAA" } }
    await service.saveArtifact({ ...file, artifact })
    artifact.inlineData.data = "BBBB"
    expect((await service.loadArtifact(file))?.inlineData?.data).toBe("AAAA")
    for (const empty of [{}, { text: "" }])
      await expect(service.saveArtifact({ ...file, artifact: empty })).rejects.toMatchObject({
        code: "input_refused",
      })
  })
})

describe("a Runner with an artifact service", () => {
  /** Runs an agent with one tool, which is called once. Returns the system messages. */
  async function play(
    artifactService: BaseArtifactService,
    execute: (args: object, context: Context) => Promise<unknown>,
    instruction = "Work.",
  ) {
    const answers: object[] = [
      { toolCalls: [{ id: "1", function_name: "work", function_args: {} }] },
      { content: "Done." },
    ]
    const systems: string[] = []
    const call = async ({ messages }: { readonly messages: readonly { content: unknown }[] }) => {
      systems.push(String(messages[0]?.content))
      return answers.shift()
    }
    const work = new FunctionTool({ name: "work", description: "Works.", execute })
    const sessionService = new InMemorySessionService()
    await sessionService.createSession(key)
    const runner = new Runner({
      appName: "desk",
      agent: new LlmAgent({ name: "a", model: "small", instruction, tools: [work] }),
      sessionService,
      artifactService,
      models: { small: { call } },
    })
    const deltas: object[] = []
    const newMessage = { role: "user", parts: [{ text: "Go." }] }
    for await (const event of runner.runAsync({ userId: "ada", sessionId: "s0", newMessage }))
      deltas.push(event.actions.artifactDelta)
    return { systems, deltas, runner }
  }

  test("the artifacts of tools are stored in the service and loaded from it", async () => {
    const service = new InMemoryArtifactService()
    await service.saveArtifact({ ...key, filename: "old.txt", artifact: { text: "old" } })
    const found: unknown[] = []
    const { runner } = await play(service, async (_args, context) => {
      found.push(await context.saveArtifact("new.txt", { text: "one" }))
      found.push(await context.saveArtifact("new.txt", { text: "two" }))
      found.push(await context.loadArtifact("new.txt"))
      found.push(await context.loadArtifact("new.txt", 0))
      found.push((await context.loadArtifact("ghost.txt")) === undefined)
      found.push(await context.listArtifacts(), await context.listVersions("new.txt"))
      found.push((await context.loadArtifact("old.txt"))?.text)
      return "ok"
    })
    expect(found).toEqual([
      0,
      1,
      { text: "two" },
      { text: "one" },
      true,
      ["new.txt", "old.txt"],
      [0, 1],
      "old",
    ])
    expect(await service.listVersions({ ...key, filename: "new.txt" })).toEqual([0, 1])
    expect(runner.artifactService).toBe(service)
  })

  test("instructions can contain artifacts of the service and artifacts that a tool saves", async () => {
    const service = new InMemoryArtifactService()
    await service.saveArtifact({ ...key, filename: "style", artifact: { text: "brief" } })
    await service.saveArtifact({ ...key, filename: "unused", artifact: { text: "x" } })
    const { systems } = await play(
      service,
      async (_args, context) => context.saveArtifact("note", { text: "blue" }),
      "Be {artifact.style}. {artifact.note?}",
    )
    expect(systems.map((system) => system.split("\n").at(-1))).toEqual([
      "Be brief. ",
      "Be brief. blue",
    ])
  })
})
