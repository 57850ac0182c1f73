/** Classes of `google.adk.tools` that have no counterpart here, each with what to do instead. */
const instead: ReadonlyMap<string, string> = new Map([
  ["ExampleTool", "Write the examples into the instruction of the agent."],
  ["LoadMemoryTool", "Register a tool of your own that searches your memory service."],
  ["PreloadMemoryTool", "Register a tool of your own that searches your memory service."],
  ["LoadArtifactsTool", "Name the artifact in the instruction: {artifact.name}."],
  [
    "TransferToAgentTool",
    "Leave it out: agents with sub-agents get transfer_to_agent by themselves.",
  ],
  ["SetModelResponseTool", 'Leave it out and write "output_schema".'],
  ["ExitLoopTool", "Write exit_loop."],
  ...["RestApiTool", "GoogleApiTool", "IntegrationConnectorTool"].map(
    (name) => [name, "Put an HttpTool with this id into globalTools."] as const,
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
  ].map((name) => [name, "Register a tool of your own."] as const),
])

/** Whether a name is a class of ADK's tools that is not supported. */
export const isUnsupportedTool = (name: string): boolean =>
  instead.has(name) ||
  (/^[A-Z]\w*Toolset$/.test(name) && name !== "McpToolset" && name !== "MCPToolset") ||
  name.startsWith("google.adk.")

/** What to do instead. */
export const toolInstead = (name: string): string =>
  instead.get(name) ??
  (name.endsWith("Toolset")
    ? "Use an McpToolset, or register a toolset of your own."
    : "Register a tool of your own.")
