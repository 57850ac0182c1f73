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

/** A text, with its name for messages. */
export interface NamedText {
  readonly text: string
  /** Name of the text in messages, such as its file. */
  readonly name: string
}

/** A config that `compile` accepts, with its name for messages. */
export interface ConfigSource {
  readonly config: string | ConfigFolder
  readonly name: string
  /** Base folder of the file paths in diagnostics. null: the config comes from stdin. */
  readonly folder: string | null
  /**
   * The folder in which `compile` finds files that the config refers to, if the config is a single
   * text. Absent for stdin.
   */
  readonly files?: ConfigFolder
}

/**
 * Reads a config from a folder with a `root_agent.yaml`, from a YAML file that refers to other
 * files, or from a single text (a file or stdin).
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

/** Reads the text of a file. `-` reads stdin. */
export async function readSource(file: string): Promise<NamedText> {
  if (file === "-") return { text: await readStdin(), name: "<stdin>" }
  try {
    return { text: await readFile(file, "utf8"), name: file }
  } catch (error) {
    throw new UsageProblem(unreadable(file, errorCode(error)))
  }
}

/** Reads a JSON file. `what` names its content in error messages. */
export async function readJson(file: string, what: string): Promise<unknown> {
  const { text, name } = await readSource(file)
  return parseJson(text, `the ${what} ${name}`)
}

/** Parses JSON. `what` names the text in error messages. */
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

/** Maximum number of workflow files that a message lists. */
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
 * Returns the message for a path that does not exist. It names the missing folder or files with
 * similar names.
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
