import { join } from "node:path"
import { rolldown } from "rolldown"

/** One piece of text in the source that stands there once, and what is put in its place. */
export interface Patch {
  /** From `src/`. */
  readonly file: string
  readonly find: string
  readonly put: string
}

/** Writes a program with everything that it needs, and with the patch, into a folder; gives the file to run. */
export async function bundleTrial(
  folder: string,
  patch: Patch | null,
  program = join(import.meta.dirname, "trial.ts"),
): Promise<string> {
  let applied = 0
  const bundle = await rolldown({
    input: program,
    platform: "node",
    external: /^[^./]/,
    plugins: [
      {
        name: "patch",
        transform(code, id) {
          if (patch === null || !id.endsWith(`/src/${patch.file}`)) return null
          if (code.split(patch.find).length !== 2)
            throw new Error(`${patch.file} does not have this once: ${patch.find}`)
          applied++
          return code.replace(patch.find, () => patch.put)
        },
      },
    ],
  })
  await bundle.write({ file: join(folder, "trial.mjs"), format: "esm", codeSplitting: false })
  await bundle.close()
  if (patch !== null && applied !== 1) throw new Error(`${patch.file} is no part of what is tried`)
  return join(folder, "trial.mjs")
}
