import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { chatServer, completion } from "../adapters/model/openai-server.js"
import { cli, folderWith, isBuilt } from "./command.js"

const agents = (budget: object = {}): object => ({
  rootAgentId: "all",
  agents: [
    { id: "all", type: "SequentialAgent", subAgents: [{ agentId: "one" }, { agentId: "two" }] },
    { id: "one", type: "LlmAgent", model: "small" },
    { id: "two", type: "LlmAgent", model: "large" },
  ],
  initialUserInput: "go",
  ...budget,
})

describe.skipIf(!isBuilt)("the cost of a run", () => {
  test("the cost of a run is computed from a price file and printed with the result", async () => {
    const { baseUrl } = await chatServer([
      completion({ content: "a" }),
      completion({ content: "b" }),
    ])
    const folder = folderWith({
      "w.json": agents(),
      "prices.json": {
        small: { input: 1000, output: 2000 },
        "*": { input: 10_000, output: 20_000 },
      },
    })
    // Each response reports 11 input tokens and 3 output tokens.
    const { code, stdout } = await cli(
      ["run", "w.json", "--openai", baseUrl, "--prices", "prices.json"],
      { cwd: folder },
    )
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/2 model calls, [^\n]*22 tokens in, 6 out, cost 0\.187\n/),
    })
  })

  test("a run stops when its cost exceeds the budget", async () => {
    const { baseUrl, asked } = await chatServer([
      completion({ content: "a" }),
      completion({ content: "b" }),
    ])
    const folder = folderWith({
      "w.json": agents({ budget: { maxCost: 0.01, onExceeded: "limit" } }),
      "prices.json": { "*": { input: 1000, output: 2000 } },
    })
    expect(
      await cli(["run", "w.json", "--openai", baseUrl, "--prices", "prices.json"], { cwd: folder }),
    ).toMatchObject({ code: 4, stdout: expect.stringContaining("maxCost (0.01; used 0.017)") })
    expect(asked).toHaveLength(1)
  })

  test("a services module can export priceOf, which must be a function", async () => {
    const { baseUrl } = await chatServer([
      completion({ content: "a" }),
      completion({ content: "b" }),
    ])
    const folder = folderWith({ "w.json": agents() })
    writeFileSync(
      join(folder, "code.mjs"),
      "export const priceOf = ({ usage }) => usage.outputTokens",
    )
    expect(
      (await cli(["run", "w.json", "--openai", baseUrl, "--services", "code.mjs"], { cwd: folder }))
        .stdout,
    ).toContain("cost 6\n")
    writeFileSync(join(folder, "wrong.mjs"), "export const priceOf = 3")
    expect(
      await cli(["run", "w.json", "--openai", baseUrl, "--services", "wrong.mjs"], { cwd: folder }),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("exports priceOf, but it must be a function"),
    })
  })

  test("run rejects a price file that is missing, is invalid, or has no price for a model", async () => {
    const folder = folderWith({
      "w.json": agents(),
      "part.json": { small: { input: 1, output: 2 } },
      "wrong.json": { small: { input: "1" } },
    })
    const refused = async (file: string): Promise<string> => {
      const { code, stderr } = await cli(
        ["run", "w.json", "--openai", "http://127.0.0.1:9/v1", "--prices", file],
        { cwd: folder },
      )
      expect(code).toBe(2)
      return stderr
    }
    expect(await refused("part.json")).toContain(
      'part.json has no price for the model "large" of agent "two". Add "large" or "*", which applies to all other models.',
    )
    expect(await refused("wrong.json")).toMatch(
      /wrong\.json is not a valid price file: .*at small\.input/,
    )
    expect(await refused("none.json")).toContain("none.json")
  })
})
