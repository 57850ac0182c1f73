import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isBuilt } from "../cli/command.js"
import type { Vector } from "../conformance/play.mjs"
import { loadVectors } from "../conformance/run.mjs"
import { tryAtTwoSpeeds } from "../conformance/slow-motion.js"
import { bundleProgram } from "../support/bundle-program.mjs"
import { sampleOf } from "../support/random-cases.js"
import { tryWithProcesses } from "./play.mjs"

const folder = mkdtempSync(join(tmpdir(), "restarts-"))
let bundle: Awaited<ReturnType<typeof bundleProgram>>

beforeAll(async () => {
  bundle = await bundleProgram(fileURLToPath(new URL("./life.mjs", import.meta.url)))
})

afterAll(() => {
  bundle.remove()
  rmSync(folder, { recursive: true })
})

const inputsOf = (vector: Vector): readonly Readonly<Record<string, unknown>>[] =>
  (vector["inputs"] ?? []) as readonly Readonly<Record<string, unknown>>[]
const vectors = loadVectors(
  fileURLToPath(new URL("../conformance/vectors", import.meta.url)),
).filter((vector) => inputsOf(vector).some(({ restart }) => restart === true))
let places = 0

describe.skipIf(!isBuilt).each(["jsonl", "sqlite"] as const)(
  "vectors whose restarts kill the process, with the %s journal",
  { concurrent: true },
  (kind) => {
    // The reversed order selects other vectors for the other journal.
    const played = kind === "jsonl" ? sampleOf(vectors, 3) : sampleOf(vectors.toReversed(), 6)

    test.each(played.map((vector) => [vector.id, vector] as const))(
      "the vector %s passes",
      async (_, vector) => {
        const failures = await tryAtTwoSpeeds(vector, (played) =>
          tryWithProcesses(played, bundle.start, kind, join(folder, `${places++}`)),
        )
        expect(failures).toEqual([])
      },
    )

    test("a vector with wrong expectations fails", async () => {
      const [vector] = vectors.filter(({ id }) => id === "resume/sequence-skips-finished")
      if (vector === undefined) throw new Error("the vector does not exist")
      const wrong = {
        ...vector,
        expect: {
          ...vector.expect,
          llmCalls: ["a", "a"],
          statusBeforeInputs: ["waiting", "completed"],
        },
      }
      expect(
        await tryWithProcesses(wrong, bundle.start, kind, join(folder, `${places++}`)),
      ).toHaveLength(2)
    })
  },
)

test("at least eight vectors have a restart", () =>
  expect(vectors.length).toBeGreaterThanOrEqual(8))
