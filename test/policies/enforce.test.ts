import { readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { cli } from "../cli/command.js"
import { playEnforced } from "./play-policy.mjs"
import { expectationsOf, workflowOf } from "./play-run.js"
import { temporaryFolder } from "../support/temporary-folder.js"

const vectors = fileURLToPath(new URL("vectors/", import.meta.url))

const cases = readdirSync(vectors)
  .sort()
  .flatMap((name) =>
    Object.entries(expectationsOf(join(vectors, name)).policies ?? {}).flatMap(
      ([policy, { play, enforced }]) =>
        play === undefined || enforced === undefined ? [] : [{ name, policy, play, enforced }],
    ),
  )

test.each(cases)(
  "run --enforce keeps the policy $policy of $name",
  async ({ name, policy, ...expected }) => {
    const folder = join(vectors, name)
    const found = temporaryFolder("enforced-")
    const vector = { folder, found, workflow: workflowOf(folder) }
    expect(await playEnforced(expected, policy, vector, cli)).toEqual([])
  },
)
