import { gzipSync } from "node:zlib"
import { fileURLToPath } from "node:url"
import { build } from "vite"
import { describe, expect, test } from "vitest"

const folder = fileURLToPath(new URL("../../", import.meta.url))

interface Bundle {
  readonly minified: number
  readonly gzipped: number
  /** The packages in the bundle. The empty name is this package. */
  readonly packages: ReadonlySet<string>
}

/**
 * Bundles a page that contains this code, as Vite does. `isAlone` leaves out the packages that the
 * built package imports.
 */
async function bundle(code: string, isAlone = false): Promise<Bundle> {
  const entry = `${folder}page.js`
  const isOutside = (id: string): boolean =>
    !/^[./\0]/.test(id) && !id.startsWith("agent-statecharts")
  const built = await build({
    root: folder,
    configFile: false,
    logLevel: "error",
    plugins: [
      {
        name: "page",
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? code : null),
      },
    ],
    build: {
      write: false,
      minify: true,
      modulePreload: false,
      target: "es2022",
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: "strict",
        output: { format: "es" },
        ...(isAlone ? { external: isOutside } : {}),
      },
    },
  })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) =>
    "output" in one ? one.output : [],
  )
  const chunks = outputs.flatMap((one) => (one.type === "chunk" ? [one] : []))
  const text = chunks.map((chunk) => chunk.code).join("")
  const modules = chunks
    .flatMap((chunk) => Object.keys(chunk.modules))
    .filter((id) => id.startsWith("/") && id !== entry)
  return {
    minified: Buffer.byteLength(text),
    gzipped: gzipSync(text).length,
    packages: new Set(
      modules.map((id) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? ""),
    ),
  }
}

const runner = 'export { createRunner } from "agent-statecharts/runtime"'
const coreRunner = 'export { createCoreRunner } from "agent-statecharts/runtime/core"'
const actor = 'export { toMachine, controlActor } from "agent-statecharts/runtime"'
const compiler = 'export { compile } from "agent-statecharts/compiler"'

/** Size limits in kB (1,000 bytes). They are slightly above the sizes that were last measured. */
const kinds = [
  {
    name: "createRunner",
    code: runner,
    most: 574,
    gzipped: 183,
    packages: ["", "xstate", "@cfworker/json-schema"],
  },
  // Its gzipped size is a goal of the project.
  {
    name: "createCoreRunner",
    code: coreRunner,
    most: 280,
    gzipped: 90,
    packages: ["", "xstate", "@cfworker/json-schema"],
  },
  // A machine executes called workflows with a runner, so it contains one.
  {
    name: "toMachine",
    code: actor,
    most: 588,
    gzipped: 188,
    packages: ["", "xstate", "@cfworker/json-schema"],
  },
  // About 10 kB of this are the descriptions of config fields. They are next to the rules for each field, so that
  // the documentation, the JSON Schemas and the parser agree.
  {
    name: "compile",
    code: compiler,
    most: 614,
    gzipped: 194,
    packages: [""],
  },
  {
    name: "compile and createRunner",
    code: `${compiler}\n${runner}`,
    most: 1_052,
    gzipped: 331,
    packages: ["", "xstate", "@cfworker/json-schema"],
  },
  {
    name: "compileCondition",
    code: 'export { compileCondition } from "agent-statecharts/expression"',
    most: 128,
    gzipped: 42,
    packages: [""],
  },
  {
    name: "createClient",
    code: 'export { createClient } from "agent-statecharts/client"',
    most: 10,
    gzipped: 4,
    packages: [""],
  },
  {
    name: "defineRunChart",
    code: 'export { defineRunChart } from "agent-statecharts/run-chart"',
    most: 19,
    gzipped: 7,
    packages: [""],
  },
] as const

const kilobytes = (bytes: number): number => Math.round(bytes / 100) / 10

describe("minified and gzipped sizes", () => {
  test.each(kinds)(
    "a page with $name loads less than $most kB of minified code",
    async ({ name, code, most, gzipped, packages }) => {
      const whole = await bundle(code)
      console.log(`${name}: ${kilobytes(whole.minified)} kB (gzip ${kilobytes(whole.gzipped)})`)
      expect(kilobytes(whole.minified)).toBeLessThan(most)
      expect(kilobytes(whole.gzipped)).toBeLessThan(gzipped)
      // Every page loads these packages, so the list contains neither zod nor modules of Node.js.
      expect([...whole.packages].sort()).toEqual([...packages].sort())
    },
  )

  test("useRun adds less than 4 kB to a page with React and a runner", async () => {
    const { minified } = await bundle('export { useRun } from "agent-statecharts/react"', true)
    expect(kilobytes(minified)).toBeLessThan(4)
  })
})
