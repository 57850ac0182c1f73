import { existsSync, readdirSync, statSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { text as streamText } from "node:stream/consumers"
import type { FolderOptions } from "../../adapters/files/index.js"
import type { ConfigFolder } from "../../compiler/index.js"
import { createSuggest } from "../../machines/data/suggest.js"
import { errorCode } from "../errors/error-code.js"
import { fixForMissingPath } from "./missing-path.js"
import { commandName } from "../terminal/command-name.js"
import { UsageProblem } from "../errors/usage-problem.js"

/** Text of a file or of stdin, with a name for error messages. */
export interface NamedText {
  readonly text: string
  /** Name of the text in error messages. It is the file path, or `<stdin>`. */
  readonly name: string
}

/** A workflow config as input for `compile`, with its name for error messages. */
export interface ConfigSource {
  readonly config: string | ConfigFolder
  readonly name: string
  /** Base folder of the file paths in diagnostics. Null if the config comes from stdin. */
  readonly folder: string | null
  /**
   * Folder in which `compile` finds the files that a single config text refers to. Absent for
   * stdin.
   */
  readonly files?: ConfigFolder
}

/**
 * Reads a workflow config. `file` is a folder with a `root_agent.yaml`, a YAML file that can refer
 * to other files, a single config file, or `-` for stdin.
 */
export async function readConfig(
  file: string,
  folderOptions: FolderOptions,
): Promise<ConfigSource> {
  const isFolder =
    file !== "-" && (statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false)
  if (isFolder && !existsSync(join(file, "root_agent.yaml")))
    throw new UsageProblem(await withoutRootAgent(file))
  if (isFolder || /\.ya?ml$/i.test(file)) {
    if (!existsSync(file)) throw new UsageProblem(unreadable(file, "ENOENT"))
    const { openFolder } = await import("../../adapters/files/index.js")
    return {
      config: openFolder(file, folderOptions),
      name: file,
      folder: isFolder ? file : dirname(file),
    }
  }
  const { text, name } = await readSource(file)
  if (file === "-") return { config: text, name, folder: null }
  const { openFolder } = await import("../../adapters/files/index.js")
  return {
    config: text,
    name,
    folder: dirname(file),
    files: openFolder(file, folderOptions),
  }
}

/** Reads a text file. The path `-` reads stdin. Throws a usage error if the file cannot be read. */
export async function readSource(file: string): Promise<NamedText> {
  if (file === "-") return { text: await readStdin(), name: "<stdin>" }
  try {
    return { text: await readFile(file, "utf8"), name: file }
  } catch (error) {
    throw new UsageProblem(unreadable(file, errorCode(error)))
  }
}

/**
 * Reads and parses a JSON file. `what` describes the content in error messages, for example
 * `scenario`.
 */
export async function readJson(file: string, what: string): Promise<unknown> {
  const { text, name } = await readSource(file)
  return parseJson(text, `the ${what} ${name}`)
}

/**
 * Parses JSON text. `what` describes the text in error messages, for example `the scenario a.json`.
 * Throws a usage error if the text is not valid JSON.
 */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""))
  } catch (error) {
    throw new UsageProblem(
      `${what} is not valid JSON: ${error instanceof Error ? error.message : String(error)}.`,
    )
  }
}

async function readStdin(): Promise<string> {
  if (process.stdin.isTTY)
    throw new UsageProblem(
      `"-" reads from stdin, but stdin is a terminal. Name a file, or pipe one: cat workflow.json | ${commandName()} check -`,
    )
  return await streamText(process.stdin)
}

/** Maximum number of workflow files that the error message about a wrong folder lists. */
const listedFiles = 3

async function withoutRootAgent(folder: string): Promise<string> {
  const { findWorkflows } = await import("../../adapters/files/find-workflows.js")
  const found = findWorkflows(folder)
  const problem = `the folder ${folder} does not contain a root_agent.yaml.`
  if (found.length === 0)
    return `${problem} It contains no other workflow either. Pass a config file, or create a project with: ${commandName()} init`
  const files = found.slice(0, listedFiles).map((file) => join(folder, file))
  return `${problem} Pass one of its workflow files: ${files.join(", ")}${found.length > listedFiles ? ", ..." : ""}`
}

function unreadable(file: string, code: string): string {
  if (code === "ENOENT") return doesNotExist(file)
  if (code === "EISDIR") return `${file} is a folder. Pass a file.`
  return `${file} cannot be read (${code}). Check its permissions.`
}

/**
 * Returns the error message for a file that does not exist. Names the missing folder, or suggests a
 * file with a similar name.
 */
function doesNotExist(file: string): string {
  const folder = dirname(resolve(file))
  if (!existsSync(folder))
    return `the file ${file} does not exist, because there is no folder ${folder}. ${fixForMissingPath(file)}`
  const suggestion = createSuggest()(basename(file), readdirSync(folder))
  const fix =
    suggestion === null
      ? 'Check the path, or use "-" to read from stdin.'
      : `Did you mean ${join(dirname(file), suggestion)}?`
  return `the file ${file} does not exist in ${folder}. ${fix}`
}
