import { withoutNulls } from "../../../../machines/data/without-nulls.js"
import type { McpConnection } from "../../../../machines/contract/mcp-connection.js"
import type { ParsedToolset } from "../../config/agent-config.js"
import { anything } from "../../fields/data.js"
import { duration } from "../../fields/duration.js"
import { expiryFields, expiryOf } from "../../fields/expiry.js"
import type { Reader } from "../../fields/field-table.js"
import { fieldTable, optional, required } from "../../fields/field-table.js"
import { identifier } from "../../fields/identifier.js"
import { filledText, flag, list, objectOf, refuseType, text } from "../../fields/plain-values.js"
import { readFields } from "../../fields/read-fields.js"
import type { ParserLocation } from "../../context/parser-context.js"
import { fieldOf, report } from "../../../diagnostics/config-location.js"
import { describeValue } from "../../../diagnostics/show.js"
import { toolOwner } from "../../workflow/tool-owner.js"
import { toolNames } from "../../fields/tool-names.js"

/**
 * Returns whether a class name is `McpToolset` or `MCPToolset`, the two spellings that ADK has
 * used.
 */
export const isMcpToolset = (name: string): boolean =>
  name === "McpToolset" || name === "MCPToolset"

/**
 * Parses an MCP toolset such as `{name: McpToolset, args: {streamable_http_connection_params:
 * {url}}}`. The toolset has no name in ADK, so its id consists of the agent's id and the index of
 * the tool, such as `writer_mcp_0`. An MCP server that is a local program is only accepted with the
 * option `allowProcesses`. The compiler never starts the program.
 */
export function mcpToolset(
  args: unknown,
  argsAt: ParserLocation,
  location: ParserLocation,
): ParsedToolset | null {
  const object = objectOf(args ?? {})
  if (object === null)
    return refuseType(
      args,
      argsAt,
      "an object",
      '{"streamable_http_connection_params": {"url": "https://..."}}',
    )
  const number = /\[(\d+)\]$/.exec(location.field)?.[1] ?? "0"
  const id = `${location.owner.id ?? "agent"}_mcp_${number}`
  const own: ParserLocation = { ...argsAt, field: "", owner: toolOwner("McpToolset", id, location) }
  const { values, has, locationOf: fieldAt } = readFields(object, mcpArguments, own)
  const given = connections.filter((name) => has(name))
  if (given.length !== 1) {
    const { naming } = location.parser
    const fix = `Write exactly one of ${connections.map((name) => `"${naming.name(name)}"`).join(", ")}.`
    return report(own, {
      code: "bad_value",
      problem:
        given.length === 0
          ? "does not define how to reach its server"
          : "defines more than one way to reach its server",
      fix,
    })
  }
  const [name] = given
  const mcp = name === undefined ? null : values[name]
  if (mcp === null || name === undefined) return null
  if ("command" in mcp && !location.parser.allowProcesses) {
    return report(fieldAt(name), {
      code: "process_not_allowed",
      problem: `starts a process, ${describeValue(mcp.command)}, and communicates with it over stdio, which is not allowed by default`,
      fix: 'If you trust this config, allow processes with the compile option "allowProcesses" (--allow-processes on the command line). Otherwise use a server that is reached over HTTP.',
      part: "key",
    })
  }
  const { toolFilter, toolNamePrefix: prefix, requireConfirmation } = values
  return {
    type: "Toolset",
    id,
    service: null,
    pageTools: false,
    toolFilter,
    prefix,
    requireConfirmation: requireConfirmation ?? false,
    ...expiryOf(values),
    mcp: values.useMcpResources === true ? { ...mcp, useResources: true } : mcp,
    location: own,
    fieldAt,
  }
}

const connections = [
  "stdioServerParams",
  "stdioConnectionParams",
  "sseConnectionParams",
  "streamableHttpConnectionParams",
] as const

const textValues: Reader<Readonly<Record<string, string>>> = (value, location) => {
  const object = objectOf(value)
  if (object === null) return refuseType(value, location, "an object", "an object in { }")
  const entries = Object.entries(object).flatMap(([key, inner]): [string, string][] => {
    const read = text(inner, fieldOf(location, key))
    return read === null ? [] : [[key, read]]
  })
  return Object.fromEntries(entries)
}

const texts: Reader<readonly string[]> = (value, location) =>
  list(value, location)?.flatMap((entry, index) => text(entry, fieldOf(location, index)) ?? []) ??
  null

const program: Reader<McpConnection> = (value, location) => {
  const object = objectOf(value)
  if (object === null)
    return refuseType(value, location, "an object", '{"command": "npx", "args": [...]}')
  const { command, args, env } = readFields(object, programFields, location).values
  return command === null ? null : { command, ...withoutNulls({ args, env }) }
}

const connectedProgram: Reader<McpConnection> = (value, location) => {
  const object = objectOf(value)
  if (object === null)
    return refuseType(value, location, "an object", '{"server_params": {"command": "npx"}}')
  const { serverParams, timeout } = readFields(object, connectedFields, location).values
  return serverParams === null ? null : { ...serverParams, ...withoutNulls({ timeoutMs: timeout }) }
}

const server: Reader<McpConnection> = (value, location) => {
  const object = objectOf(value)
  if (object === null) return refuseType(value, location, "an object", '{"url": "https://..."}')
  const read = readFields(object, serverFields, location)
  const { url, headers, timeout } = read.values
  if (url === null) return null
  if (!/^https?:\/\/[^\s/]/i.test(url))
    return report(read.locationOf("url"), {
      code: "bad_url",
      problem: `is ${describeValue(url)}, which is not an http or https URL`,
      fix: "Write the URL of the MCP server, such as https://example.com/mcp.",
    })
  return { url, ...withoutNulls({ headers, timeoutMs: timeout }) }
}

/**
 * Parses a duration and returns milliseconds. As in ADK, a number is in seconds. A string contains
 * its unit, such as `500ms`.
 */
const seconds: Reader<number> = (value, location) => {
  if (typeof value !== "number") return duration(value, location)
  if (Number.isFinite(value) && value > 0) return Math.ceil(value * 1000)
  return report(location, {
    code: "bad_duration",
    problem: `is ${value}, which is not a valid duration`,
    fix: "Write a number of seconds greater than 0, such as 30.",
  })
}

/**
 * Parses a config field of ADK whose value is not used. The MCP adapter of the runner has its own
 * settings for how programs are started.
 */
const ignored = optional(anything)

const programFields = fieldTable("the parameters of a program", {
  command: required(filledText, "Add the name of the program."),
  args: optional(texts),
  env: optional(textValues),
  cwd: ignored,
  encoding: ignored,
  encodingErrorHandler: ignored,
})

const connectedFields = fieldTable("the parameters of a connection", {
  serverParams: required(program, "Add the program that runs the server."),
  timeout: optional(seconds),
})

const serverFields = fieldTable("the parameters of a server", {
  url: required(filledText, "Write the URL of the MCP server, such as https://example.com/mcp."),
  headers: optional(textValues),
  timeout: optional(seconds),
  sseReadTimeout: ignored,
  terminateOnClose: ignored,
})

const mcpArguments = fieldTable(
  "an McpToolset's args",
  {
    stdioServerParams: optional(program),
    stdioConnectionParams: optional(connectedProgram),
    sseConnectionParams: optional(server),
    streamableHttpConnectionParams: optional(server),
    toolFilter: optional(toolNames),
    toolNamePrefix: optional(identifier),
    requireConfirmation: optional(flag),
    useMcpResources: optional(flag),
    ...expiryFields,
  },
  { aliases: { prefix: "toolNamePrefix" } },
)
