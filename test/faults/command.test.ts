import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { cli, isBuilt } from "../cli/command.js"
import { examples } from "../examples/example-folder.js"
import { temporaryFolder } from "../support/temporary-folder.js"

const vector = (name: string, file: string): string =>
  join(import.meta.dirname, "vectors", name, file)

const projectFolder = join(import.meta.dirname, "../..")

const folder = (): string => temporaryFolder("faults-")

const faultsOf = (name: string, ...options: readonly string[]): ReturnType<typeof cli> =>
  cli([
    "faults",
    vector(name, "workflow.json"),
    "--scripted",
    vector(name, "scenario.json"),
    ...options,
  ])

test("two runs of the command print the same certificate", async () => {
  const options = ["--services", vector("clean-steps", "services.mjs"), "--json"]
  const first = await faultsOf("clean-steps", ...options)
  const second = await faultsOf("clean-steps", ...options)
  expect(first.code).toBe(0)
  expect(second.stdout).toBe(first.stdout)
})

test("the output lists the kinds, the reason why a kind has no place, and the assumptions", async () => {
  const { stdout } = await faultsOf("clean-branches")
  expect(stdout).toContain("faults of flow (fault-free: completed, 4 records, 4 calls, 0 answers)")
  expect(stdout).toMatch(/ {2}kill-before +4 runs +4 equal\n/)
  expect(stdout).toMatch(/ {2}expiry +no request expires\n/)
  expect(stdout).toContain("46 runs, no invariant broken")
  expect(stdout).toMatch(
    /recognize a repeated Idempotency-Key: a \(asked twice in \d+ runs?\), b \(in/,
  )
})

test("--against fails if the run makes an assumption that the certificate does not contain", async () => {
  const file = join(folder(), "shop.certificate.json")
  await faultsOf("tool-not-idempotent", "-o", file)
  const stored = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>
  const same = await faultsOf("tool-not-idempotent", "--against", file)
  expect(same.stderr).toBe("")
  writeFileSync(file, JSON.stringify({ ...stored, assumes: [] }))
  const { code, stderr } = await faultsOf("tool-not-idempotent", "--against", file)
  expect(code).toBe(1)
  expect(stderr).toMatch(/new assumes: model clerk \(in \d+ runs\)/)
})

test("a finding can be reproduced alone with the script that -o writes", async () => {
  const out = folder()
  const { code, stdout } = await faultsOf(
    "tool-not-idempotent",
    "-o",
    out,
    "--kinds",
    "kill-before",
  )
  expect(code).toBe(1)
  expect(stdout).toContain("place_order did its work 2 times")
  expect(readdirSync(out)).toContain("1.scenario.json")
  const certificate = JSON.parse(readFileSync(join(out, "faults.certificate.json"), "utf8")) as {
    readonly findings: readonly { readonly play: { readonly fault: string } }[]
  }
  const fault = certificate.findings[0]?.play.fault ?? ""
  const alone = await cli([
    "faults",
    vector("tool-not-idempotent", "workflow.json"),
    "--scripted",
    join(out, "1.scenario.json"),
    "--only",
    fault,
    "--json",
  ])
  const { runs, findings } = JSON.parse(alone.stdout) as {
    readonly runs: number
    readonly findings: readonly { readonly invariant: string }[]
  }
  expect(runs).toBe(3)
  expect(findings.map(({ invariant }) => invariant)).toContain("effect_once")
})

test("--most samples every kind and counts the places that it skips", async () => {
  const { stdout } = await faultsOf("clean-branches", "--most", "11", "--json")
  const { runs, kinds } = JSON.parse(stdout) as {
    readonly runs: number
    readonly kinds: Readonly<
      Record<string, { readonly injected: number; readonly skipped: number }>
    >
  }
  expect(runs).toBe(13)
  for (const { injected, skipped } of Object.values(kinds))
    expect({ injected, skipped }).toEqual({ injected: 1, skipped: 3 })
  const text = await faultsOf("clean-branches", "--most", "11")
  expect(text.stdout.split("\n")[0]).toContain("33 places skipped by --most")
})

test("the error for a scenario that is too short names the agent", async () => {
  const file = join(folder(), "scenario.json")
  writeFileSync(file, JSON.stringify({ llm: { a: [{ content: "only a" }] } }))
  const { code, stderr } = await cli([
    "faults",
    vector("clean-branches", "workflow.json"),
    "--scripted",
    file,
  ])
  expect(code).toBe(2)
  expect(stderr).toContain('no response left for agent "b"')
})

test("a certificate of a run that waits for an answer has a warning", async () => {
  const folder = join(projectFolder, "examples/human-approval")
  const options = ["--scripted", join(folder, "scenario.json"), "--only", "kill-before@0"]
  const { stdout } = await cli(["faults", join(folder, "workflow.json"), ...options])
  expect(stdout).toContain("fault-free: waiting")
  expect(stdout).toContain("nothing after this request is tested. Pass the answers of people")
})

test("an answers file can let a request expire", async () => {
  const file = join(folder(), "answers.json")
  writeFileSync(file, JSON.stringify([{ answer: "cats" }, { expire: true }]))
  const { code, stdout } = await faultsOf("clean-people", "--answers", file, "--json")
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    baseline: { status: "failed", answers: 1 },
    kinds: { "kill-before": { injected: 3, equal: 3 } },
  })
})

test.each([
  ["--only", "kill@1"],
  ["--kinds", "late,never"],
])("an unknown kind of fault in %s is rejected", async (option, value) => {
  const { code, stderr } = await faultsOf("clean-branches", option, value)
  expect(code).toBe(2)
  expect(stderr).toContain("is not a kind of fault")
})

describe.skipIf(!isBuilt)("--processes", () => {
  const small = ["adk-capital-schema", "adk-generator-critic"]

  test.each(examples.filter(({ name }) => small.includes(name)))(
    "--processes kills real processes of $name and prints the same certificate",
    async ({ path, name, hasServices }) => {
      const file = (of: string): string => join(projectFolder, "examples", name, of)
      const args = [
        "faults",
        join(projectFolder, path),
        "--scripted",
        file("scenario.json"),
        ...(hasServices ? ["--services", file("services.mjs")] : []),
        "--kinds",
        "kill-before,kill-after",
        "--most",
        "10",
        "--json",
      ]
      const simulated = await cli(args)
      const real = await cli([...args, "--processes"])
      expect(real.code, real.stderr).toBe(0)
      expect(JSON.parse(real.stdout)).toEqual(JSON.parse(simulated.stdout))
    },
  )

  test("a person repeats an answer that a killed process has not stored", async () => {
    const { code, stdout } = await faultsOf(
      "clean-approvals",
      "--answers",
      vector("clean-approvals", "answers.json"),
      "--only",
      "kill-before@1",
      "--processes",
    )
    expect(code).toBe(0)
    expect(stdout).toMatch(/ {2}kill-before +1 run +1 equal/)
  })
})

test("the error for missing host functions names them", async () => {
  const { code, stderr } = await faultsOf("clean-steps")
  expect(code).toBe(2)
  expect(stderr).toContain("place_order")
})
