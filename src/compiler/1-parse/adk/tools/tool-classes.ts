/**
 * Suggested alternatives to unsupported classes of `google.adk.tools`, by class name. Each
 * alternative is a sentence for an error message.
 */
const instead: ReadonlyMap<string, string> = new Map([
  ["ExampleTool", "Write the examples in the instruction of the agent."],
  ["LoadMemoryTool", "Use load_memory."],
  ["PreloadMemoryTool", "Use preload_memory."],
  ["LoadArtifactsTool", "Refer to the artifact in the instruction: {artifact.name}."],
  [
    "TransferToAgentTool",
    "Remove it: agents with sub-agents have transfer_to_agent automatically.",
  ],
  ["SetModelResponseTool", 'Remove it and use "output_schema".'],
  ["ExitLoopTool", "Use exit_loop."],
  ...["RestApiTool", "GoogleApiTool", "IntegrationConnectorTool"].map(
    (name) => [name, "Add an HttpTool with this id to globalTools."] as const,
  ),
  ...[
    "ApiRegistry",
    "AuthenticatedFunctionTool",
    "BaseAuthenticatedTool",
    "BaseRetrievalTool",
    "BaseTool",
    "BashTool",
    "ComputerUseTool",
    "CrewaiTool",
    "DiscoveryEngineSearch",
    "ExecuteBashTool",
    "FilesRetrieval",
    "GetUserChoiceTool",
    "GoogleTool",
    "LangchainTool",
    "LlamaIndexRetrieval",
    "LoadMcpResourceTool",
    "McpTool",
    "MCPTool",
    "StructuredLangchainTool",
  ].map((name) => [name, "Register your own tool."] as const),
])

/** Returns whether a name is a tool class of ADK that this package does not support. */
export const isUnsupportedTool = (name: string): boolean =>
  instead.has(name) ||
  (/^[A-Z]\w*Toolset$/.test(name) &&
    !["McpToolset", "MCPToolset", "OpenAPIToolset"].includes(name)) ||
  name.startsWith("google.adk.")

/**
 * Returns the suggested alternative to an unsupported ADK tool class, as a sentence for an error
 * message.
 */
export const toolInstead = (name: string): string =>
  instead.get(name) ??
  (name.endsWith("Toolset")
    ? "Use an McpToolset or an OpenAPIToolset, or register your own toolset."
    : "Register your own tool.")
