import { readFile } from "node:fs/promises"
import { UsageProblem } from "./usage-problem.js"

export interface Source {
  readonly text: string
  /** What messages call it. */
  readonly name: string
}

/** A file's text; `-` is stdin. */
export async function readSource(file: string): Promise<Source> {
  if (file === "-") return { text: await readStdin(), name: "<stdin>" }
  try {
    return { text: await readFile(file, "utf8"), name: file }
  } catch (error) {
    throw new UsageProblem(unreadable(file, (error as NodeJS.ErrnoException).code ?? "unknown"))
  }
}

export async function readJson(file: string, what: string): Promise<unknown> {
  const { text, name } = await readSource(file)
  return parseJson(text, `the ${what} ${name}`)
}

export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as unknown
  } catch (error) {
    throw new UsageProblem(`${what} is no valid JSON: ${(error as Error).message}.`)
  }
}

async function readStdin(): Promise<string> {
  if (process.stdin.isTTY) throw new UsageProblem('"-" reads from stdin, where nothing was piped in. Give a file, or pipe one: cat workflow.json | agent-statecharts check -')
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

function unreadable(file: string, code: string): string {
  if (code === "ENOENT") return `there is no file ${file}. Check the path, or use "-" to read from stdin.`
  if (code === "EISDIR") return `${file} is a folder; name a file in it.`
  return `${file} cannot be read (${code}).`
}
