import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { makePlan } from "../../src/cli/test-plan/make-plan.js"
import { compile } from "../../src/compiler/compile.js"
import type { CompileOptions } from "../../src/compiler/compile.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import { taskGraphOf } from "../../src/machines/contract/graphs/task-graph-of.js"
import { projectFolder } from "../docs/markdown-blocks.js"

const folder = join(projectFolder, "test/conformance/vectors")
const vectors = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".json"))
  .sort()

/** The test plans every n-th vector, and this is n. `PLANNED_VECTORS=1` plans all vectors. */
const each = Number(process.env["PLANNED_VECTORS"] ?? 16)

/** The maximum number of runs of a plan. Most plans find nothing new after 40 runs. */
const most = each === 1 ? 200 : 40

/** Returns whether a chart uses a secret. Its calls fail, because the environment has no such variable. */
const needsSecret = (chart: AgentChart): boolean => JSON.stringify(chart).includes("$secret")

/** Many vectors test limits, waits and failing conditions, which no single response can reach. */
test(
  `plans of conformance vectors without host functions cover 85 % of the transitions (one in ${each} vectors)`,
  { timeout: 3_600_000 },
  async () => {
    const sum = { plans: 0, reached: 0, of: 0 }
    const unsteady: string[] = []
    for (const file of vectors.filter((_, index) => index % each === 0)) {
      const { config, dialect } = JSON.parse(readFileSync(join(folder, file), "utf8")) as {
        readonly config?: object
        readonly dialect?: NonNullable<CompileOptions["dialect"]>
      }
      const { chart } =
        config === undefined
          ? { chart: null }
          : compile(config, dialect === undefined ? {} : { dialect })
      // `test-plan` refuses graphs with HTTP nodes.
      const isGraph = chart !== null && taskGraphOf(chart) !== null
      if (chart === null || isGraph || chart.services !== undefined || needsSecret(chart)) continue
      const started = Date.now()
      const plan = await makePlan({ chart, services: {} }, most)
      const { reached, of } = plan.coverage.transitions
      if (reached < of || Date.now() - started > 3000)
        console.log(file, reached, of, Date.now() - started)
      unsteady.push(...plan.unsteady.map((name) => `${file}: ${name}`))
      sum.plans++
      sum.reached += reached
      sum.of += of
    }
    console.log(
      `${sum.plans} plans take ${sum.reached} of ${sum.of} transitions (${Math.floor((100 * sum.reached) / sum.of)} %)`,
    )
    expect(sum.plans).toBeGreaterThan(10)
    expect(unsteady).toEqual([])
    expect(sum.reached / sum.of).toBeGreaterThanOrEqual(0.85)
  },
)
