import { existsSync, readFileSync } from "node:fs"
import process from "node:process"
import { compile } from "../../src/compiler/index.js"
import { withCertifyOptions } from "../../src/cli/faults/certify-options.js"
import { certify } from "../../src/faults/certify.js"

// Certifies one example in a separate process, which is killed if it hangs. Prints the broken invariants, one per line.
async function printFindings(folder: string): Promise<void> {
  const { chart } = compile(readFileSync(`${folder}/workflow.json`, "utf8"))
  if (chart === null) throw new Error(`${folder} does not compile`)
  const options = Object.fromEntries(
    Object.entries({
      scripted: "scenario.json",
      answers: "answers.json",
      services: "services.mjs",
    }).flatMap(([option, file]) =>
      existsSync(`${folder}/${file}`) ? [[option, `${folder}/${file}`]] : [],
    ),
  )
  // The runs are played in this thread, because worker threads load the build without the bug.
  const { findings } = await withCertifyOptions(
    {
      file: folder,
      chart,
      input: {},
      policies: [],
      options: { ...options, most: 5_000, policy: [] },
    },
    certify,
  )
  for (const { kind, invariant, message } of findings)
    console.log(`${invariant} (${kind}): ${message}`)
}

// Bundles for processes that start quickly cannot await at the top level.
void printFindings(process.argv[2] ?? "")
