import { systemErrorCode } from "../../system-error-code.js"
import { AgentStatechartsError } from "../../../errors.js"
import type { Secrets } from "./secrets.js"

/**
 * Creates a source of secrets from an object. Use it in tests, or if your program loads the secrets
 * itself.
 */
export function secretsFromObject(values: Readonly<Record<string, string>>): Secrets {
  return secretsFromEntries(Object.entries(values))
}

/**
 * Creates a source of secrets that reads environment variables. Each call reads the current value.
 * Only variables whose names start with `prefix` are available, and a workflow config omits the
 * prefix. Example: if the prefix is `AGENT_`, `$secret('LLM_KEY')` reads the variable
 * `AGENT_LLM_KEY`. Without a prefix, a workflow can read every environment variable.
 */
export function secretsFromEnvironment(
  options: {
    readonly prefix?: string
    readonly env?: Readonly<Record<string, string | undefined>>
  } = {},
): Secrets {
  const { prefix = "", env = environment() } = options
  return { read: (name) => (Object.hasOwn(env, prefix + name) ? env[prefix + name] : undefined) }
}

/**
 * Creates a source of secrets from a file, which is read once. The file contains a JSON object with
 * string values, or lines of the form `NAME=value` (with optional `export`, optional quotes and `#`
 * comments). Error messages do not contain text of the file.
 *
 * @throws AgentStatechartsError `secret_missing` if the file cannot be read
 */
export const secretsFromFile = (path: string): Secrets => secretsFromEntries(fileEntries(path))

/**
 * Returns the values of all secrets in a secrets file, so that a program can mask them in its
 * output.
 */
export const readFileSecretValues = (path: string): readonly string[] =>
  fileEntries(path).flatMap(([, value]) => (value === "" ? [] : [value]))

function fileEntries(path: string): readonly (readonly [string, string])[] {
  const text = readText(path).replace(/^\uFEFF/, "")
  return text.trimStart().startsWith("{") ? jsonEntries(text, path) : lineEntries(text, path)
}

/**
 * Returns the environment variables of the process. Returns an empty object in browsers and in
 * workers that have no `process`.
 */
const environment = (): Readonly<Record<string, string | undefined>> =>
  typeof process === "undefined" ? {} : process.env

function secretsFromEntries(entries: Iterable<readonly [string, string]>): Secrets {
  const values = new Map(entries)
  return { read: (name) => values.get(name) }
}

function readText(path: string): string {
  // An import of `node:fs` would prevent bundling for browsers.
  const fs = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:fs")
  if (fs === undefined)
    throw badFile(path, "cannot be read, because this platform has no files. Use secretsFromObject")
  try {
    return fs.readFileSync(path, "utf8")
  } catch (cause) {
    throw badFile(path, `cannot be read (${systemErrorCode(cause) ?? "unknown"})`, cause)
  }
}

function jsonEntries(text: string, path: string): [string, string][] {
  let values: unknown
  try {
    values = JSON.parse(text)
  } catch {
    // The error of the JSON parser is not used, because it contains text of the file.
    throw badFile(path, 'is not valid JSON. Write one object with string values: {"name": "value"}')
  }
  return Object.entries(values as object).map(([name, value]: [string, unknown]) => {
    if (typeof value !== "string")
      throw badFile(path, `has a value for "${name}" that is not a string. Put the value in quotes`)
    return [name, value]
  })
}

/**
 * Parses the lines of a secrets file, which have the form `NAME=value`. `util.parseEnv` is not
 * used, because it cuts unquoted values at `#` and ignores invalid lines.
 */
function lineEntries(text: string, path: string): [string, string][] {
  return text.split(/\r?\n/).flatMap((line, index): [string, string][] => {
    const content = line.trim()
    if (content === "" || content.startsWith("#")) return []
    const match = /^(?:export\s)?\s*([\w.-]+)\s*=(.*)$/.exec(content)
    if (match?.[1] === undefined) throw badFile(path, `has no NAME=value on line ${index + 1}`)
    return [[match[1], unquoted((match[2] ?? "").trim())]]
  })
}

const unquoted = (value: string): string =>
  /^(["']).*\1$/s.test(value) && value.length > 1 ? value.slice(1, -1) : value

const badFile = (path: string, what: string, cause?: unknown): AgentStatechartsError =>
  new AgentStatechartsError(
    "secret_missing",
    `the secrets file ${path} ${what}.`,
    cause === undefined ? undefined : { cause },
  )
