import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { examplesFolder } from "../examples/example-folder.js"
import { cli } from "./command.js"

const newsletter = join(examplesFolder, "newsletter")
const file = join(newsletter, "workflow.json")
const scripted = ["--scripted", join(newsletter, "scenario.json")]

test("run, runs and check follow a call of another file, and show the link of both runs", async () => {
  const journal = ["--journal", join(mkdtempSync(join(tmpdir(), "calls-")), "runs")]
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

test("test-plan and faults refuse a workflow that calls another workflow", async () => {
  for (const args of [
    ["test-plan", file],
    ["faults", file, ...scripted],
  ])
    expect(await cli(args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('calls another workflow with the agent "research"'),
    })
})
