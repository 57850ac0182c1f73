import type { PendingRequest } from "../../machines/contract/pending-request.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { OfferedTool, Toolset } from "../../runtime/host/host-service.js"

/**
 * Key of the session state that contains the tools that a web page offers to the agents of a run.
 * Keys with the prefix `temp:` are not stored in sessions.
 */
export const pageToolsKey = "temp:_page_tools"

/**
 * Limits for the tools that a web page offers: number of tools, characters of a description, and
 * characters of all tools as JSON. The limits exist because the page is untrusted and models
 * receive all of its tools.
 */
const pageToolLimits = { tools: 64, description: 1_024, characters: 100_000 } as const

/**
 * Parses the tools that a web page offers to the agents of a run. Returns an error message if a
 * tool is invalid or a limit is exceeded.
 */
export function readPageTools(
  value: unknown,
): { readonly tools: readonly OfferedTool[] } | { readonly problem: string } {
  if (value === undefined || value === null) return { tools: [] }
  if (!Array.isArray(value)) return { problem: "tools must be a list" }
  if (value.length > pageToolLimits.tools)
    return { problem: `a page can offer at most ${pageToolLimits.tools} tools` }
  const tools: OfferedTool[] = []
  for (const [index, entry] of value.entries()) {
    const { name, description, parameters }: Readonly<Record<string, unknown>> = isJsonObject(entry)
      ? entry
      : {}
    if (typeof name !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(name))
      return {
        problem: `tools[${index}].name must have 1 to 64 letters, digits, "_" or "-"`,
      }
    if (parameters !== undefined && parameters !== null && !isJsonObject(parameters))
      return { problem: `tools[${index}].parameters must be a JSON Schema` }
    tools.push({
      name,
      ...(typeof description === "string" && {
        description: description.slice(0, pageToolLimits.description),
      }),
      // Models require a schema of type object.
      ...(isJsonObject(parameters) && { parameters: { type: "object", ...parameters } }),
    })
  }
  return JSON.stringify(tools).length > pageToolLimits.characters
    ? { problem: `the tools of a page can have at most ${pageToolLimits.characters} characters` }
    : { tools }
}

/** Value of `ticket` in a pending tool call that the web page executes. */
const ticket = "page-tool"

/** Returns whether a pending request of a run is a tool call that the web page executes. */
export const isPageRequest = ({ kind, details }: PendingRequest): boolean =>
  kind === "tool" && isJsonObject(details) && details["ticket"] === ticket

/**
 * A toolset with the tools that a web page offered when it started the run. A tool call stays
 * pending until the page sends its result. If no page has started the run, the toolset is empty.
 */
export const pageToolset: Toolset = {
  list({ state }) {
    const read = readPageTools(state.get(pageToolsKey))
    return "tools" in read ? read.tools : []
  },
  call: () => ({ pending: true, ticket }),
}
