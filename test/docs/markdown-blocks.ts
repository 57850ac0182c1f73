import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export interface Block {
  /** The file and the line where the block begins, for example `README.md:42`. */
  readonly at: string
  readonly language: string
  readonly code: string
  /** The Mermaid diagram directly after the block, or null. */
  readonly picture: string | null
}

const root = new URL("../../", import.meta.url)

export const projectFolder = fileURLToPath(root)

/** If this is the line before a block, the block is not run. */
const mark = "<!-- shown, not run -->"

const markdownIn = (folder: string): readonly string[] =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" }).map(
    (name) => `${folder}${name}`,
  )

/** The README, CONTRIBUTING.md, and all pages in `docs/` and `examples/`. */
export const pages: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  ...markdownIn("docs/"),
  ...markdownIn("examples/"),
].filter((file) => file.endsWith(".md"))

/** The fenced blocks of these pages, including those that are not run. */
export const allBlocks: readonly (Block & { readonly isMarked: boolean })[] = pages.flatMap(
  (file) => blocksOf(file, readFileSync(new URL(file, root), "utf8")),
)

export const blocks: readonly Block[] = allBlocks.filter(({ isMarked }) => !isMarked)

function blocksOf(file: string, text: string): readonly (Block & { readonly isMarked: boolean })[] {
  return [...text.matchAll(/^(.*)\n```(\w*)\n([^]*?)^```$/gm)].map(
    ([whole, before = "", language = "", code = ""], index, all) => {
      const start = all[index]?.index ?? 0
      const next = all[index + 1]
      const adjacent =
        next !== undefined &&
        next[2] === "mermaid" &&
        /^\s*$/.test(text.slice(start + whole.length, next.index))
      const line = text.slice(0, start).split("\n").length + 1
      return {
        isMarked: before.trim() === mark,
        at: `${file}:${line}`,
        language,
        code,
        picture: adjacent ? (next[3] ?? null) : null,
      }
    },
  )
}

/** Returns the anchors of a page's headings: lower case, without punctuation, with dashes for spaces. */
export const anchorsOf = (file: string): readonly string[] =>
  [...readFileSync(join(projectFolder, file), "utf8").matchAll(/^#+ (.*)$/gm)].map(
    ([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replace(/\s/g, "-"),
  )
