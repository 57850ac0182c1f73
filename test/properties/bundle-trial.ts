import { join } from "node:path"
import { build } from "vite"

/** One piece of text in the source that stands there once, and what is put in its place. */
export interface Patch {
  /** From `src/`. */
  readonly file: string
  readonly find: string
  readonly put: string
}

const root = join(import.meta.dirname, "../..")

/** Writes `trial.ts` with everything that it needs, and with the patch, into a folder; gives the file to run. */
export async function bundleTrial(folder: string, patch: Patch | null): Promise<string> {
  let applied = 0
  await build({
    root,
    configFile: false,
    logLevel: "error",
    publicDir: false,
    build: {
      ssr: join(import.meta.dirname, "trial.ts"),
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      target: "node20",
      rolldownOptions: { output: { entryFileNames: "trial.mjs" } },
    },
    plugins: [
      {
        name: "patch",
        enforce: "pre",
        transform(code, id) {
          if (patch === null || !id.endsWith(`/src/${patch.file}`)) return null
          if (code.split(patch.find).length !== 2)
            throw new Error(`${patch.file} does not have this once: ${patch.find}`)
          applied++
          return { code: code.replace(patch.find, () => patch.put), map: null }
        },
      },
    ],
  })
  if (patch !== null && applied !== 1) throw new Error(`${patch.file} is no part of what is tried`)
  return join(folder, "trial.mjs")
}
