import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { isBuilt } from "../cli/command.js"

/** How many flips each journal is tried with: FLIPS=2000 for the claim, fewer in every run of the tests. */
const flips = Number(process.env["FLIPS"] ?? 150)

interface Flip {
  readonly outcome: "harmless" | "reported" | "silent" | "untyped"
}

const flip = (kind: string, count: number): Promise<readonly Flip[]> =>
  new Promise((resolve) => {
    const args = [
      fileURLToPath(new URL("./flip-bits.mjs", import.meta.url)),
      kind,
      "7",
      "0",
      String(count),
    ]
    // A process that a flip has ended has printed fewer lines.
    execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (_, stdout) =>
      resolve(
        stdout
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line) as Flip),
      ),
    )
  })

test.skipIf(!isBuilt).each(["JSONL", "SQLite"])(
  "each of many flipped bits of %s is reported with a typed error or changes nothing",
  async (kind) => {
    const outcomes = await flip(kind, flips)
    expect(outcomes).toHaveLength(flips)
    expect(outcomes.filter(({ outcome }) => outcome === "silent" || outcome === "untyped")).toEqual(
      [],
    )
    expect(outcomes.filter(({ outcome }) => outcome === "reported").length).toBeGreaterThan(
      flips / 5,
    )
  },
  600_000,
)
