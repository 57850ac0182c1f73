import { expect, test } from "vitest"
import { cli, folderWith, samples } from "./command.js"

const asNpx = { npm_command: "exec", npm_lifecycle_event: "npx" }

const waiting = async (env: Readonly<Record<string, string>>) => {
  const cwd = folderWith(samples)
  const options = ["--scripted", "human.scenario.json", "--journal", "my runs"]
  const args = ["run", "human.json", "--run-id", "r", ...options]
  return { cwd, run: await cli(args, { cwd, env }) }
}

test("commands in messages begin with npx if a package manager runs the process", async () => {
  expect((await waiting({})).run.stderr).toContain("    agent-statecharts runs answer r ")
  const { cwd, run } = await waiting(asNpx)
  expect(run.stderr).toContain("    npx agent-statecharts runs answer r ")
  expect(await cli(["runs", "show", "unknown"], { cwd, env: asNpx })).toMatchObject({
    stderr: expect.stringContaining(
      "List all runs with: npx agent-statecharts runs list\n",
    ) as string,
  })
})

test("the command that plays a counterexample begins with npx", async () => {
  const cwd = folderWith({
    "pay.json": JSON.stringify({
      rootAgentId: "clerk",
      initialUserInput: "Pay.",
      agents: [{ type: "LlmAgent", id: "clerk", model: "small", tools: ["pay"] }],
      globalTools: [
        {
          type: "HttpTool",
          id: "pay",
          httpConfig: { url: "https://tools.test/pay", method: "POST" },
        },
      ],
    }),
    "pay.policy.yaml": "policies: [{ name: p, allow: { call: pay }, onlyAfter: approval }]",
  })
  const args = ["check", "pay.json", "--policy", "pay.policy.yaml", "--counterexamples", "found"]
  const { stdout } = await cli(args, { cwd, env: asNpx })
  expect(stdout).toContain("  Play it: npx agent-statecharts run pay.json --scripted found/p.")
  expect(stdout).toContain(
    "  Fix: Write the workflow in the adk dialect and set requireConfirmation",
  )
})

test.each([["show", "r"], ["pending"]])(
  "runs %s prints a command that answers the request",
  async (...args) => {
    const { cwd } = await waiting({})
    const { stdout } = await cli(["runs", ...args, "--journal", "my runs"], { cwd })
    const [, command = ""] = /agent-statecharts (runs answer .*)/.exec(stdout) ?? []
    expect(command).toBe(
      "runs answer r 'your answer' --scripted human.scenario.json --journal 'my runs'",
    )
    const words = [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word)
    expect(await cli(words, { cwd })).toMatchObject({ code: 0 })
  },
)

test("the error for an unknown run contains the command that lists the runs of the same journal", async () => {
  const { cwd } = await waiting({})
  const { stderr } = await cli(["runs", "show", "unknown", "--journal", "my runs"], { cwd })
  expect(stderr).toContain("List all runs with: agent-statecharts runs list --journal 'my runs'")
})

test("stored service options that a shell would execute are not printed", async () => {
  const { storedServices } = await import("../../src/cli/format/follow-up-commands.js")
  const of = (services: string): string =>
    storedServices({ about: { services } } as unknown as Parameters<typeof storedServices>[0])
  expect(of("--scripted 'my scenario.json' --services ./a.mjs")).not.toBe("")
  for (const unsafe of ["--scripted a; rm b", "--scripted $(id)", "--services 'a' `id`", "id"])
    expect(of(unsafe)).toBe("")
})
