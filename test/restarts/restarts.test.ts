import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, test } from "vitest"
import { isBuilt } from "../cli/command.js"
import type { Vector } from "../conformance/play.mjs"
import { loadVectors } from "../conformance/run.mjs"
import { tryWithProcesses } from "./play.mjs"

const folder = mkdtempSync(join(tmpdir(), "restarts-"))
afterAll(() => rmSync(folder, { recursive: true }))

const inputsOf = (vector: Vector): readonly Readonly<Record<string, unknown>>[] =>
  (vector["inputs"] ?? []) as readonly Readonly<Record<string, unknown>>[]
const vectors = loadVectors(
  fileURLToPath(new URL("../conformance/vectors", import.meta.url)),
).filter((vector) => inputsOf(vector).some(({ restart }) => restart === true))
let places = 0

describe.skipIf(!isBuilt).each(["jsonl", "sqlite"] as const)(
  "a restart is the death of the process, over %s",
  (kind) => {
    test.each(vectors.map((vector) => [vector.id, vector] as const))("%s", async (_, vector) => {
      expect(await tryWithProcesses(vector, kind, join(folder, `${places++}`))).toEqual([])
    })

    test("a vector that is wrong fails", async () => {
      const [vector] = vectors.filter(({ id }) => id === "resume/sequence-skips-finished")
      if (vector === undefined) throw new Error("the vector is gone")
      const wrong = {
        ...vector,
        expect: {
          ...vector.expect,
          llmCalls: ["a", "a"],
          statusBeforeInputs: ["waiting", "completed"],
        },
      }
      expect(await tryWithProcesses(wrong, kind, join(folder, `${places++}`))).toHaveLength(2)
    })
  },
)

test("there are vectors with a restart", () => expect(vectors.length).toBeGreaterThanOrEqual(8))
