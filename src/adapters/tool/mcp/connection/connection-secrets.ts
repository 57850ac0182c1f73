import type { McpConnection } from "../../../../machines/contract/mcp-connection.js"
import { AgentStatechartsError } from "../../../../errors.js"
import { CallFailedError } from "../../../../machines/contract/services.js"
import { mayNameSecret, findSecrets } from "../../../http/secrets/find-secrets.js"
import type { Mask } from "../../../http/secrets/mask-secrets.js"
import { createMask } from "../../../http/secrets/mask-secrets.js"

/**
 * The masks that hide the secrets of an MCP server's config in the server's results, errors and
 * output.
 */
export interface ConnectionMask {
  /**
   * Mask that hides secrets in results of the server. The secrets are the values in the config
   * whose names suggest a secret, such as `api-key`.
   */
  readonly results: Mask
  /**
   * Mask that hides the same secrets in error messages and program output. It also hides all other
   * values in the server's config that have at least 8 characters.
   */
  readonly messages: Mask
}

/**
 * Minimum length of values in an MCP server's config that are masked in messages, although their
 * names do not suggest a secret.
 */
const minLength = 8

/** Creates the masks for the secrets in the connection config of an MCP server. */
export function connectionMask(connection: McpConnection): ConnectionMask {
  const values =
    "url" in connection
      ? { ...parametersOf(connection.url), ...connection.headers }
      : { ...optionsIn(connection.args ?? []), ...connection.env }
  const secrets = findSecrets(values, mayNameSecret)
  return {
    results: createMask(secrets),
    messages: createMask([
      ...secrets,
      ...findSecrets(values, (name) => (values[name] ?? "").length >= minLength),
    ]),
  }
}

/**
 * Returns the program name or the URL of an MCP server for messages. The URL has no query and no
 * credentials, because they may be secret.
 */
export function serverNameOf(connection: McpConnection): string {
  if ("command" in connection) return connection.command
  const url = readUrl(connection.url)
  return url === null ? connection.url : `${url.origin}${url.pathname}`
}

/** Returns a copy of an error in which secrets of the MCP server's config are masked. */
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
        ...(url.password !== "" && { "password of the URL": decodeURIComponent(url.password) }),
      }
}

/**
 * Returns the command line options whose names suggest a secret, by name. Both `--api-key=1234` and
 * `--api-key 1234` are recognized.
 */
function optionsIn(args: readonly string[]): Readonly<Record<string, string>> {
  const options: Record<string, string> = {}
  for (const [index, arg] of args.entries()) {
    const [, name, value] = /^--?([\w-]+)(?:=(.*))?$/s.exec(arg) ?? []
    const given = value ?? args[index + 1]
    if (name !== undefined && mayNameSecret(name) && given !== undefined) options[name] = given
  }
  return options
}
