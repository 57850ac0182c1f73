import type { CallToolResult, Client, Resource, Tool } from "@modelcontextprotocol/client"

/** Name of the tool with which a model reads MCP resources. ADK uses the same name. */
export const loadResource = "load_mcp_resource"

/** Maximum number of MCP resources that the description of the tool lists. */
const maxListed = 100

/** Maximum number of MCP resources that one call reads. */
const maxRead = 20

interface RequestOptions {
  readonly signal: AbortSignal
  readonly timeout: number
}

/**
 * Creates a tool with which a model reads the server's MCP resources. Its description lists the
 * names and descriptions of the resources. Returns null if the server does not support resources.
 */
export async function resourceTool(client: Client, options: RequestOptions): Promise<Tool | null> {
  if (client.getServerCapabilities()?.resources === undefined) return null
  const { resources } = await client.listResources(undefined, { ...options, cacheMode: "refresh" })
  const lines = resources
    .slice(0, maxListed)
    .map(
      ({ name, description }) => `- ${name}${description === undefined ? "" : `: ${description}`}`,
    )
  if (resources.length > maxListed) lines.push(`- ${resources.length - maxListed} more`)
  return {
    name: loadResource,
    description: ["Reads resources of the MCP server.", "Resources:", ...lines].join("\n"),
    inputSchema: {
      type: "object",
      properties: {
        resource_names: {
          type: "array",
          items: { type: "string" },
          minItems: 1,
          maxItems: maxRead,
          description: "The names or URIs of the resources.",
        },
      },
      required: ["resource_names"],
    },
  }
}

/**
 * Reads MCP resources by their names or URIs. The result contains their contents in the form in
 * which the server sends them (`text`, or `blob` in Base64). An unknown name is an error of the
 * tool.
 */
export async function readResources(
  client: Client,
  args: Record<string, unknown>,
  options: RequestOptions,
): Promise<CallToolResult> {
  const given = args["resource_names"]
  const names = isListOfTexts(given) ? given : []
  if (names.length === 0 || names.length > maxRead)
    return failure(`The argument "resource_names" must be a list of 1 to ${maxRead} names or URIs.`)
  const { resources } = await client.listResources(undefined, options)
  const uris = names.map((name) => ({ name, uri: uriOf(resources, name) }))
  const unknown = uris.find(({ uri }) => uri === null)
  if (unknown !== undefined) return failure(`The server has no resource "${unknown.name}".`)
  const read: Record<string, unknown>[] = []
  for (const { uri } of uris) {
    if (uri === null) continue
    const { contents } = await client.readResource({ uri }, { ...options, cacheMode: "refresh" })
    read.push(...contents)
  }
  return { content: [], structuredContent: { contents: read } }
}

const isListOfTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string")

/**
 * Returns the URI of a resource from its name or URI. A URI that the server does not list is also
 * accepted, because it may belong to a resource template. Returns null if the resource is unknown.
 */
function uriOf(resources: readonly Resource[], name: string): string | null {
  const found = resources.find((resource) => resource.name === name || resource.uri === name)
  return found?.uri ?? (URL.canParse(name) ? name : null)
}

const failure = (text: string): CallToolResult => ({
  content: [{ type: "text", text }],
  isError: true,
})
