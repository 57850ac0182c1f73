import { execFile } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { examplesFolder } from "./example-folder.js"

const run = promisify(execFile)
const built = fileURLToPath(new URL("../../dist/index.js", import.meta.url))

/** Every program of the examples, and some of the lines that it prints. */
const programs: Readonly<Record<string, readonly string[]>> = {
  "adk/capital-agent.mjs": [
    "capital_agent: It is Nairobi.",
    '{"capital":"Montevideo","populationEstimate":1300000}',
  ],
  "adk/checkout.mjs": [
    "deciding --> paying : PAY_HALF",
    "checkout is in deciding",
    'Thank you! {"receipt":"R-2","paid":400} 2 charges',
  ],
  "adk/leave-desk.mjs": ["question: 5 days for a wedding?", 'letter "5 days are granted."'],
  "adk/sessions.mjs": [
    "waiter: The soup then, without nuts. (message 2 of this session)",
    "waiter: The soup then, without nuts. (message 1 of this session)",
  ],
  "adk/story-flow.mjs": [
    "thinking --> revision : runs it",
    "tone: negative",
    "In the end: A robot swept a station at night. At five the baker brought it a warm roll, for the smell.",
  ],
  "embed-actor.mjs": ["completed: "],
  "embed-run.mjs": ["completed: "],
}

/** Servers, which run until they are stopped. embedding.test.ts opens their pages in a browser. */
const servers = ["embed-backend/server.mjs", "embed-browser/serve.mjs"]

/** Programs of web pages, which need a document. test/server/page-tools.test.ts checks such tools. */
const inPages = ["adk-page-tools/main.mjs"]

test("the lists of this file contain every program of the examples", () => {
  const here = readdirSync(examplesFolder, { recursive: true, encoding: "utf8" })
  // Programs for engines need a server. The tests of each engine run them.
  expect(
    here
      .filter(
        (name) =>
          name.endsWith(".mjs") &&
          !/services\.mjs$|vite\.config\.mjs$|^update-goldens\.mjs$|^engines\//.test(name),
      )
      .sort(),
  ).toEqual([...Object.keys(programs), ...servers, ...inPages].sort())
})

test.each(Object.entries(programs))(
  "%s runs with plain node against the built package",
  async (program, says) => {
    expect(existsSync(built), "the package has to be built first: npm run build").toBe(true)
    const { stdout, stderr } = await run(process.execPath, [join(examplesFolder, program)], {
      timeout: 220_000,
    })
    expect(stderr).toBe("")
    for (const line of says)
      expect(stdout.split("\n")).toContainEqual(
        expect.stringMatching(new RegExp(`^${line.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`)),
      )
  },
)
