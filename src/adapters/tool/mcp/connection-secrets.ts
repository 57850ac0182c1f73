import type { McpConnection } from "../../../machines/contract/mcp-connection.js"
import { AgentStatechartsError } from "../../../errors.js"
import { CallFailedError } from "../../../machines/contract/services.js"
import { mayNameSecret, findSecrets } from "../../http/secrets/find-secrets.js"
import type { Mask } from "../../http/secrets/mask-secrets.js"
import { createMask } from "../../http/secrets/mask-secrets.js"

/** Takes out of what comes from an MCP server what it was reached with. */
export interface ConnectionMask {
  /** Results: what sounds like a secret. */
  readonly results: Mask
  /** Messages of errors, and what a program prints: every longer value besides. */
  readonly messages: Mask
}

const longer = 8

export function connectionMask(connection: McpConnection): ConnectionMask {
  const given =
    "url" in connection
      ? { ...parametersOf(connection.url), ...connection.headers }
      : { ...optionsIn(connection.args ?? []), ...connection.env }
  const secrets = findSecrets(given, mayNameSecret)
  return {
    results: createMask(secrets),
    messages: createMask([
      ...secrets,
      ...findSecrets(given, (name) => (given[name] ?? "").length >= longer),
    ]),
  }
}

/** Where it is, without what may be secret in it. */
export function placeOf(connection: McpConnection): string {
  if ("command" in connection) return connection.command
  const url = readUrl(connection.url)
  return url === null ? connection.url : `${url.origin}${url.pathname}`
}

/** The same error with its message masked. */
export function maskedError(error: unknown, { messages }: ConnectionMask): unknown {
  if (!(error instanceof Error)) return error
  const message = messages.text(error.message)
  if (message === error.message) return error
  if (error instanceof CallFailedError) return new CallFailedError({ ...error.failure, message })
  return error instanceof AgentStatechartsError
    ? new AgentStatechartsError(error.code, message)
    : new Error(message)
}

const readUrl = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)

function parametersOf(text: string): Readonly<Record<string, string>> {
  const url = readUrl(text)
  return url === null
    ? {}
    : {
        ...Object.fromEntries(url.searchParams),
        ...(url.password === "" ? {} : { "password of the URL": decodeURIComponent(url.password) }),
      }
}

/** `--api-key=1234`, and `--api-key 1234`. */
function optionsIn(args: readonly string[]): Readonly<Record<string, string>> {
  const options: Record<string, string> = {}
  for (const [index, arg] of args.entries()) {
    const [, name, value] = /^--?([\w-]+)(?:=(.*))?$/s.exec(arg) ?? []
    const given = value ?? args[index + 1]
    if (name !== undefined && mayNameSecret(name) && given !== undefined) options[name] = given
  }
  return options
}
