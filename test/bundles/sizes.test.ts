import { gzipSync } from "node:zlib"
import { fileURLToPath } from "node:url"
import { build } from "vite"
import { describe, expect, test } from "vitest"

const folder = fileURLToPath(new URL("../../", import.meta.url))

interface Bundle {
  readonly minified: number
  readonly gzipped: number
  /** Packages that are in it; "" is this one. */
  readonly packages: ReadonlySet<string>
}

/** What of the built package a page has to load that holds this code, as Vite bundles it. `alone`: without other packages. */
async function bundle(code: string, alone = false): Promise<Bundle> {
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
        ...(alone ? { external: isOutside } : {}),
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
const actor = 'export { toMachine, controlActor } from "agent-statecharts/runtime"'
const compiler = 'export { compile } from "agent-statecharts/compiler"'

/** Sizes in kB (1,000 bytes) that may not be exceeded: what they were when they were last looked at, and a little. */
const kinds = [
  {
    name: "createRunner",
    code: runner,
    most: 368,
    mostAlone: 316,
    packages: ["", "xstate", "rxjs", "tslib", "@cfworker/json-schema"],
  },
  {
    name: "toMachine",
    code: actor,
    most: 326,
    mostAlone: 277,
    packages: ["", "xstate", "@cfworker/json-schema"],
  },
  {
    name: "compile",
    code: compiler,
    most: 480,
    mostAlone: 287,
    packages: ["", "@noble/hashes", "jsonata", "jsonc-parser", "ms", "yaml"],
  },
  {
    name: "compile and createRunner",
    code: `${compiler}\n${runner}`,
    most: 718,
    mostAlone: 473,
    packages: [
      "",
      "xstate",
      "rxjs",
      "tslib",
      "@cfworker/json-schema",
      "@noble/hashes",
      "jsonata",
      "jsonc-parser",
      "ms",
      "yaml",
    ],
  },
  {
    name: "compileCondition",
    code: 'export { compileCondition } from "agent-statecharts/expression"',
    most: 127,
    mostAlone: 127,
    packages: [""],
  },
  {
    name: "createClient",
    code: 'export { createClient } from "agent-statecharts/client"',
    most: 10,
    mostAlone: 8,
    packages: ["", "eventsource-parser"],
  },
] as const

const kilobytes = (bytes: number): number => Math.round(bytes / 100) / 10

describe("what a page loads, minified", () => {
  test.each(kinds)(
    "$name stays below $most kB, and its own code below $mostAlone kB",
    async ({ name, code, most, mostAlone, packages }) => {
      const [whole, alone] = [await bundle(code), await bundle(code, true)]
      console.log(
        `${name}: ${kilobytes(whole.minified)} kB (gzip ${kilobytes(whole.gzipped)}), of it our own ${kilobytes(alone.minified)} kB (gzip ${kilobytes(alone.gzipped)})`,
      )
      expect(kilobytes(whole.minified)).toBeLessThan(most)
      expect(kilobytes(alone.minified)).toBeLessThan(mostAlone)
      // No zod, nothing of Node: whatever is added to this list is paid by every page.
      expect([...whole.packages].sort()).toEqual([...packages].sort())
    },
  )

  test("useRun adds next to nothing to a page that has React and a runner", async () => {
    const { minified } = await bundle('export { useRun } from "agent-statecharts/react"', true)
    expect(kilobytes(minified)).toBeLessThan(4)
  })
})
