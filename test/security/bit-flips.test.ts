import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { isBuilt } from "../cli/command.js"

/** The number of bits to flip in each journal. The number in docs/security.md needs FLIPS=2000. */
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
    // If a flipped bit crashes the process, it prints fewer lines.
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
  "each flipped bit in a %s journal causes a typed error or changes nothing",
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
