import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { snippetFolder } from "./snippet.js"

const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url))

/**
 * The programs are compiled with the declarations of the built package and the settings of this repository, which are
 * stricter than `strict`.
 */
const programsOfAdk2 = fileURLToPath(new URL("../adk2/programs/", import.meta.url))

test.each([snippetFolder, programsOfAdk2])(
  "every program in %s compiles with only its import line changed",
  (folder) => {
    const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", folder], {
      encoding: "utf8",
    })
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" })
  },
)
