import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { cli, isBuilt, start } from "../cli/command.js"
import { temporaryFolder } from "../support/temporary-folder.js"

const vector = (name: string, file: string): string =>
  join(import.meta.dirname, "vectors", name, file)

/** Arguments that certify a vector, with a module of services that replaces its own. */
function argumentsOf(name: string, services: string, ...options: readonly string[]): string[] {
  const file = join(temporaryFolder("faults-"), "services.mjs")
  writeFileSync(file, services)
  return [
    "faults",
    vector(name, "workflow.json"),
    "--scripted",
    vector(name, "scenario.json"),
    "--services",
    file,
    ...options,
  ]
}

describe.skipIf(!isBuilt)("--jobs", () => {
  test.each([
    ["clean-people", ["--answers", vector("clean-people", "answers.json")]],
    ["engine-with-a-memory", ["--services", vector("engine-with-a-memory", "services.mjs")]],
    [
      "gate-that-expires",
      [
        "--answers",
        vector("gate-that-expires", "answers.json"),
        "--policy",
        vector("gate-that-expires", "policy.yaml"),
      ],
    ],
  ])("the certificate of %s does not depend on the number of jobs", async (name, options) => {
    const withJobs = (jobs: string): ReturnType<typeof cli> =>
      cli([
        "faults",
        vector(name, "workflow.json"),
        "--scripted",
        vector(name, "scenario.json"),
        ...options,
        "--json",
        "--jobs",
        jobs,
      ])
    const one = await withJobs("1")
    const three = await withJobs("3")
    expect(three).toEqual(one)
    expect(one.stdout).toContain('"certificate": 1')
  })

  test("a run that cannot be played is reported with its fault", async () => {
    // The module loads for the runs without faults, and fails to load afterwards.
    const services = `
      globalThis.loaded = (globalThis.loaded ?? 0) + 1
      if (globalThis.loaded > 4) throw new Error("the database is gone")
      export const services = { place_order: () => ({ number: 7 }) }`
    const { code, stderr } = await cli(argumentsOf("clean-steps", services, "--jobs", "2"))
    expect(stderr).toMatch(
      /the run with the fault [a-z0-9-]+@\d+ cannot be played: .*database is gone/s,
    )
    expect(code).toBe(2)
  })

  test("a host function that ends its thread is reported with the fault", async () => {
    const services = `
      import { isMainThread } from "node:worker_threads"
      export const services = {
        place_order: () => {
          globalThis.calls = (globalThis.calls ?? 0) + 1
          if (!isMainThread && globalThis.calls > 2) process.exit(7)
          return { number: 7 }
        },
      }`
    const { code, stderr } = await cli(argumentsOf("clean-steps", services, "--jobs", "2"))
    expect(stderr).toMatch(/the run with the fault [a-z0-9-]+@\d+ cannot be played: .*code 7/)
    expect(code).toBe(1)
  })

  test("Ctrl-C ends all jobs and prints the certificate so far", async () => {
    // The first call of each worker lasts until the main thread is interrupted.
    const services = `
      import { existsSync, writeFileSync } from "node:fs"
      import { isMainThread } from "node:worker_threads"
      const interrupted = new URL("interrupted", import.meta.url)
      if (isMainThread) process.once("SIGINT", () => writeFileSync(interrupted, ""))
      export const services = {
        place_order: async () => {
          if (!isMainThread) {
            console.error("a worker is busy")
            while (!existsSync(interrupted)) await new Promise((resolve) => setTimeout(resolve, 10))
          }
          return { number: 7 }
        },
      }`
    const { child, says, ended } = start(argumentsOf("clean-steps", services, "--jobs", "2"))
    await says("a worker is busy")
    child.kill("SIGINT")
    const { code, stdout, stderr } = await ended
    expect(code).toBe(130)
    expect(stderr).toContain("Interrupted. The certificate does not contain all faults.")
    expect(stdout).toContain("faults of shop")
  })
})
