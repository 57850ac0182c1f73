import { join } from "node:path"
import { expect, test } from "vitest"
import { examplesFolder } from "../examples/example-folder.js"
import { cli, folderWith } from "./command.js"
import { planIndex, playPlan } from "./play-plan.js"
import { temporaryFolder } from "../support/temporary-folder.js"

const newsletter = join(examplesFolder, "newsletter")
const file = join(newsletter, "workflow.json")
const scripted = ["--scripted", join(newsletter, "scenario.json")]

test("run and check support a workflow that calls another file, and runs shows caller and child run", async () => {
  const journal = ["--journal", join(temporaryFolder("calls-"), "runs")]
  const child = "r/newsletter/research#0"
  const started = await cli(["run", file, ...scripted, ...journal, "--run-id", "r"])
  expect(started).toMatchObject({ code: 3, stdout: expect.stringContaining("Are these facts") })

  const listed = await cli(["runs", "list", ...journal])
  expect(listed.stdout).toMatch(/^r\/newsletter\/research#0 +waiting .*called by r/m)
  const shown = await cli(["runs", "show", "r", ...journal])
  expect(shown.stdout).toContain(`child    ${child} (waiting)`)

  const answered = await cli(["runs", "answer", child, "correct", ...scripted, ...journal])
  expect(answered.code, answered.stderr).toBe(0)
  const resumed = await cli(["resume", "r", ...scripted, ...journal])
  expect(resumed, resumed.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("an owl can look behind itself"),
  })
  const ended = await cli(["runs", "show", child, ...journal])
  expect(ended.stdout).toContain("caller   r at newsletter/research")
  expect(ended.stdout).toContain("status   completed")

  const checked = await cli(["check", file])
  expect(checked.stdout).toContain("expected: 3 model calls, 1 human wait")
})

test("faults rejects a workflow that calls another workflow", async () => {
  expect(await cli(["faults", file, ...scripted])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('calls another workflow with the agent "research"'),
  })
})

test("test-plan covers the called workflow, and its commands reach the coverage in index.json", async () => {
  const cwd = temporaryFolder("plan-")
  const made = await cli(["test-plan", file, "-o", "plan"], { cwd })
  expect(made.code, made.stderr).toBe(0)
  const index = planIndex(cwd)
  expect(index.transitions).toEqual({ reached: 19, of: 20 })
  expect(index.scenarios.map(({ name }) => name)).toContain(
    "newsletter/research#0/research_steps/searcher fails",
  )
  expect(await playPlan(index, cwd)).toMatchObject({ transitions: index.transitions, others: [] })
})

test("test-plan requires --services with the workflows that are called by name", async () => {
  const cwd = folderWith({
    "caller.json": JSON.stringify({
      rootAgentId: "ask",
      agents: [{ type: "WorkflowAgent", id: "ask", workflow: "desk" }],
    }),
    "desk.mjs": `import { readFileSync } from "node:fs"
export const workflows = { desk: JSON.parse(readFileSync(new URL("desk.json", import.meta.url), "utf8")) }`,
    "config.json": JSON.stringify({
      rootAgentId: "boss",
      agents: [{ type: "HumanAgent", id: "boss", prompt: "Yes?", choices: ["yes", "no"] }],
    }),
  })
  expect((await cli(["compile", "config.json", "-o", "desk.json"], { cwd })).code).toBe(0)
  expect(await cli(["test-plan", "caller.json"], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('calls the workflow "desk" by name'),
  })
  const made = await cli(["test-plan", "caller.json", "--services", "desk.mjs"], { cwd })
  expect(made.code, made.stderr).toBe(0)
  const { scenarios } = JSON.parse(made.stdout) as {
    readonly scenarios: readonly { readonly answers: readonly object[] }[]
  }
  expect(scenarios[0]?.answers).toEqual([{ answer: "yes", id: "ask#0/boss#0" }])
})
