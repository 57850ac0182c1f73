import { readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { matchesFact, missingFacts } from "./facts.js"
import { expectationsOf, playRun } from "./play-run.js"

const folder = fileURLToPath(new URL("vectors/", import.meta.url))

const enforced = readdirSync(folder)
  .sort()
  .flatMap((name) =>
    Object.entries(expectationsOf(join(folder, name)).policies ?? {}).flatMap(
      ([policy, { play, enforced: wanted }]) =>
        play === undefined || wanted === undefined ? [] : [{ name, policy, play, wanted }],
    ),
  )

test.each(enforced)(
  "run --enforce keeps the policy $policy of $name",
  async ({ name, play, wanted }) => {
    const vector = join(folder, name)
    const { events, code, stderr } = await playRun(vector, play, [
      "--policy",
      join(vector, "policy.yaml"),
      "--enforce",
    ])
    expect(missingFacts(wanted.facts, events), stderr).toEqual([])
    for (const fact of wanted.without ?? [])
      expect(events.filter((event) => matchesFact(fact, event))).toEqual([])
    if (wanted.exitCode !== undefined) expect(code).toBe(wanted.exitCode)
  },
)
