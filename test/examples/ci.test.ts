import { execFile } from "node:child_process"
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { isBuilt, main } from "../cli/built-command.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import { examplesFolder } from "./example-folder.js"
import { temporaryFolder } from "../support/temporary-folder.js"

const run = promisify(execFile)
const folder = join(examplesFolder, "ci")

interface Step {
  readonly name?: string
  readonly uses?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}

interface Actions {
  readonly on: { readonly pull_request: object }
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: {
    readonly agents: { readonly "runs-on": string; readonly steps: readonly Step[] }
  }
}

const page = readFileSync(join(projectFolder, "docs/continuous-integration.md"), "utf8")
const [, source = ""] = /```yaml\n([^]*?)```/.exec(page) ?? []
const actions = parse(source) as Actions
const { steps } = actions.jobs.agents

/** Runs the steps of the job in a repository with a base branch and a changed workflow. */
async function runJob(change: (agents: string) => void) {
  const repository = temporaryFolder("agent-statecharts-ci-")
  const agents = join(repository, "agents")
  const bin = join(repository, "bin")
  cpSync(folder, agents, { recursive: true })
  mkdirSync(bin)
  // npx runs the built command, and gh prints its arguments.
  writeFileSync(join(bin, "npx"), `#!/bin/sh\nshift\nexec "${process.execPath}" "${main}" "$@"\n`)
  writeFileSync(join(bin, "gh"), '#!/bin/sh\necho "gh $*"\n')
  for (const program of ["npx", "gh"]) chmodSync(join(bin, program), 0o755)
  const git = (...args: readonly string[]) => run("git", args, { cwd: repository })
  await git("init", "--quiet", "--initial-branch", "main")
  await git("add", "agents")
  await git(
    "-c",
    "user.name=t",
    "-c",
    "user.email=t@example.com",
    "commit",
    "--quiet",
    "-m",
    "base",
  )
  await git("update-ref", "refs/remotes/origin/main", "HEAD")
  change(agents)
  const summary = join(repository, "summary.md")
  const outputs: Record<string, string> = {}
  for (const { name = "", run: script } of steps) {
    if (script === undefined || name === "Install") continue
    // GitHub runs each step with these options of bash.
    const ended = await run("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
      cwd: agents,
      env: {
        ...process.env,
        PATH: `${bin}:${process.env["PATH"]}`,
        GITHUB_BASE_REF: "main",
        GITHUB_STEP_SUMMARY: summary,
        PULL_REQUEST: "7",
      },
    }).catch((error: { readonly code: number; readonly stdout: string }) => error)
    outputs[name] = `${"code" in ended ? `exit code ${ended.code}\n` : ""}${ended.stdout}`
  }
  return { outputs, agents, summary: existsSync(summary) ? readFileSync(summary, "utf8") : "" }
}

const edited = readFileSync(join(folder, "refunds.edited.yaml"), "utf8")

describe.skipIf(!isBuilt)("the workflow for GitHub Actions", () => {
  test("names its events, permissions and actions with versions", () => {
    expect(Object.keys(actions.on)).toEqual(["pull_request"])
    expect(actions.permissions).toEqual({ contents: "read", "pull-requests": "write" })
    for (const { uses } of steps)
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/)
    for (const { run: script } of steps)
      // An expression in a script could run text of the pull request.
      if (script !== undefined) expect(script).not.toContain("${{")
  })

  test("passes for a change that regresses no case, and posts the comparison as a comment", async () => {
    const { outputs, agents, summary } = await runJob((place) =>
      writeFileSync(join(place, "refunds.yaml"), edited),
    )
    expect(outputs["Prove the policies"]).toContain("1 policy: 1 proved, 0 violated, 0 unknown")
    expect(outputs["Survive every single fault"]).toContain("74 runs, no invariant broken")
    expect(outputs["Compare with the base branch"]).toContain(
      "0 improved, 0 regressed, 1 unchanged. The second workflow made 1 model call and 0 tool calls, and reused 3 model calls and 2 tool calls.",
    )
    expect(outputs["Show the comparison"]).toBe("gh pr comment 7 --body-file eval.md\n")
    expect(summary).toContain("| ✓ → ✓ | broken\\_order |")
    expect(readFileSync(join(agents, "eval.xml"), "utf8")).toContain('failures="0"')
  })

  test("fails for a change that refunds without approval and returns a worse response", async () => {
    const { outputs } = await runJob((place) => {
      const workflow = edited.replace("    require_confirmation: true\n", "")
      writeFileSync(join(place, "refunds.yaml"), workflow)
      const scenario = readFileSync(join(place, "refunds.edited.scenario.json"), "utf8")
      writeFileSync(
        join(place, "refunds.edited.scenario.json"),
        scenario.replace("We have refunded your broken order 7.", "Please wait."),
      )
    })
    expect(outputs["Prove the policies"]).toMatch(
      /^exit code 1\n[^]*violated refund-after-approval/,
    )
    expect(outputs["Compare with the base branch"]).toMatch(/^exit code 1\n[^]*1 regressed/)
  })
})
