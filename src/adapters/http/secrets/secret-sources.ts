import { systemErrorCode } from "../../system-error-code.js"
import { readFileSync } from "node:fs"
import { AgentStatechartsError } from "../../../errors.js"
import type { Secrets } from "./secrets.js"

/** Creates a secret source from an object, for tests and for hosts that load secrets themselves. */
export function secretsFromObject(values: Readonly<Record<string, string>>): Secrets {
  return secretsFromEntries(Object.entries(values))
}

/**
 * Reads secrets from environment variables at each call. Only variables that start with `prefix`
 * are available, and a config names them without it: with the prefix `AGENT_`, `$secret('LLM_KEY')`
 * reads `AGENT_LLM_KEY`. Without a prefix, a workflow can read every variable.
 */
export function secretsFromEnvironment(
  options: {
    readonly prefix?: string
    readonly env?: Readonly<Record<string, string | undefined>>
  } = {},
): Secrets {
  const { prefix = "", env = process.env } = options
  return { read: (name) => (Object.hasOwn(env, prefix + name) ? env[prefix + name] : undefined) }
}

/**
 * Reads secrets once from a file with a JSON object of texts or with `NAME=value` lines (`#`
 * comments, optional `export`, optional quotes). Throws `secret_missing` if the file cannot be
 * read. Error messages never quote the file.
 */
export function secretsFromFile(path: string): Secrets {
  const text = readText(path).replace(/^\uFEFF/, "")
  return secretsFromEntries(
    text.trimStart().startsWith("{") ? jsonEntries(text, path) : lineEntries(text, path),
  )
}

function secretsFromEntries(entries: Iterable<readonly [string, string]>): Secrets {
  const values = new Map(entries)
  return { read: (name) => values.get(name) }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch (cause) {
    throw badFile(path, `cannot be read (${systemErrorCode(cause) ?? "unknown"})`, cause)
  }
}

function jsonEntries(text: string, path: string): [string, string][] {
  let values: unknown
  try {
    values = JSON.parse(text)
  } catch {
    // The parser's own message would quote the file.
    throw badFile(path, 'is not valid JSON. Write one object with string values: {"name": "value"}')
  }
  return Object.entries(values as object).map(([name, value]: [string, unknown]) => {
    if (typeof value !== "string")
      throw badFile(path, `has a value for "${name}" that is not a string. Put the value in quotes`)
    return [name, value]
  })
}

/**
 * Parses `NAME=value` lines. `util.parseEnv` is not used: it cuts unquoted values at `#`, and it
 * accepts invalid lines without an error.
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
