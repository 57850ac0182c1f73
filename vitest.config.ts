import { defineConfig } from "vitest/config"
import type { Plugin } from "vite"
import type { TestSpecification } from "vitest/node"
import { BaseSequencer } from "vitest/node"
import { FlakyTests } from "./test/support/flaky-tests.js"

/**
 * With a larger interrupt budget, V8 optimizes a function later. Most functions of a test run too seldom for the optimization
 * to pay, so this saves a sixth of the CPU time. The isolated tests measure time and memory, so they have the default.
 */
export const optimizesLater = ["--interrupt-budget=1000000"]

/**
 * Tests of memory or of module loading, and tests that register the workflow of DBOS, which a process
 * can do once. Each file runs in a process of its own.
 */
export const isolated = [
  "test/adapters/ai-sdk-7.test.ts",
  "test/adapters/engine/dbos/retention.test.ts",
  "test/bundles/**/*.test.ts",
  "test/cli/untrusted-text.test.ts",
  "test/growth.test.ts",
  "test/journals/growth.test.ts",
  "test/react/**/*.test.ts",
  "test/runtime/{load,many-runs,collected-runs}.test.ts",
]

/** Files that take long, the longest first. If one of them started last, a core would be idle at the end. */
const longest = [
  "test/cli/init.test.ts",
  "test/studio/access/keyboard.test.ts",
  "test/studio/page.test.ts",
  "test/conformance/conformance.test.ts",
  "test/adapters/engine/dbos/killed.test.ts",
  "test/kill/kill.test.ts",
  "test/adapters/a2a/killed-run.test.ts",
  "test/adapters/mcp/reconnecting.test.ts",
  "test/properties/planted-bugs.test.ts",
  "test/docs/snippets.test.ts",
  "test/server/many-runs.test.ts",
  "test/cli/test-plan.test.ts",
  "test/faults/planted-bugs.test.ts",
  "test/restarts/restarts.test.ts",
  "test/adk-native/native.test.ts",
  "test/faults/examples.test.ts",
]

/** Without the durations of an earlier run, Vitest starts with the largest files. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = longest.findIndex((file) => moduleId.endsWith(file))
      return index >= 0 ? index : longest.length
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

/**
 * The tests load the production builds of packages, as users do. The development build of XState needs twice the time. Vitest
 * adds its own conditions to those of a config, so this plugin removes `development` from the result.
 */
const productionBuilds: Plugin = {
  name: "production-builds",
  configResolved({ ssr, environments }) {
    for (const { conditions } of [ssr.resolve, environments["ssr"]?.resolve])
      conditions?.splice(0, Infinity, ...conditions.filter((name) => !name.includes("development")))
  },
}

export default defineConfig({
  plugins: [productionBuilds],
  test: {
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 200_000, interval: 50 } },
    // Many files wait for timers, sockets and processes, so five of them share two cores. More processes would
    // load and compile the same code more often.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    pool: "forks",
    // A larger space for new objects saves a twentieth of the CPU time, most of which is garbage collection.
    execArgv: ["--expose-gc", "--max-semi-space-size=64"],
    // Keeps transformed sources in node_modules/ between runs.
    experimental: { fsModuleCache: true },
    // Neither the build nor the charts that a test compiles need a transformation.
    server: { deps: { external: [/\/dist\//, /\/test\/drawing\/exported-/] } },
    setupFiles: ["test/support/fixed-seed.ts"],
    reporters: ["default", new FlakyTests()],
    projects: [
      // Files share processes, which saves loading and compiling `src/` for each file.
      {
        extends: true,
        test: {
          name: "shared",
          include: ["test/**/*.test.ts"],
          exclude: isolated,
          isolate: false,
          execArgv: optimizesLater,
          // Other jobs on a CI machine can disturb a browser or a process. `FlakyTests` reports every repetition.
          retry: process.env["CI"] === undefined ? 0 : 1,
        },
      },
      // These files measure time or memory, so they run after the others.
      {
        extends: true,
        test: { name: "isolated", include: isolated, maxWorkers: 3, sequence: { groupOrder: 1 } },
      },
    ],
  },
})
