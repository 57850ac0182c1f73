import { readFileSync, readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** A program that a user could write, and its header with the expected results. */
export interface Snippet {
  readonly file: string
  readonly header: SnippetHeader
}

export interface SnippetHeader {
  /** Name of the export that is run. */
  readonly export: string
  readonly plugins?: string
  readonly prompt?: string | null
  readonly state?: object
  readonly config?: object
  readonly llm: object
  readonly tools?: object
  readonly inputs?: readonly object[]
  readonly expect: Readonly<Record<string, unknown>>
}

export const snippetFolder = fileURLToPath(new URL("./snippets/", import.meta.url))

export const snippets: readonly Snippet[] = readdirSync(snippetFolder)
  .filter((file) => /^\d.*\.ts$/.test(file))
  .sort()
  .map((file) => {
    const text = readFileSync(snippetFolder + file, "utf8")
    const [, header = ""] = /@expect ([^]*?) \*\//.exec(text) ?? []
    return { file, header: JSON.parse(header) as SnippetHeader }
  })

export function snippetNamed(start: string): Snippet {
  const found = snippets.find(({ file }) => file.startsWith(start))
  if (found === undefined) throw new Error(`there is no snippet ${start}`)
  return found
}

let loads = 0

/** Loads and evaluates the module of a snippet again, because some snippets keep counters. */
export const load = (file: string): Promise<Readonly<Record<string, unknown>>> =>
  import(/* @vite-ignore */ `${snippetFolder}${file}?load=${loads++}`) as Promise<
    Readonly<Record<string, unknown>>
  >
