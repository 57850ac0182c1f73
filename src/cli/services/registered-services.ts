import type { CompileOptions } from "../../compiler/compile.js"
import type { Need } from "../../compiler/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import { importModule, loadDeclarations } from "./load-services.js"

type Declarations = NonNullable<CompileOptions["services"]>

/**
 * Kinds of services that can come from other sources than the `--services` module. For example,
 * models can come from the server of the option `--openai`.
 */
const fromElsewhere: readonly Need["kind"][] = ["model", "schema"]

/**
 * Returns declarations of all services that are available in a run, so that the compiler can report
 * all others as missing. Includes the services that the module declares or exports. Also includes
 * needed services with other sources, such as model servers and MCP servers. Returns null if the
 * module exports no services, for example because it only declares them.
 */
export async function registeredServices(
  file: string,
  needs: readonly Need[],
  chart: AgentChart | null,
): Promise<Declarations | null> {
  const { services, tools } = await importModule(file)
  const exported = [services, tools].filter(isJsonObject)
  if (exported.length === 0) return null
  const declared = (await loadDeclarations(file)) ?? []
  const opened = new Set(
    Object.values(chart?.tools ?? {}).flatMap((tool) =>
      tool.type === "Toolset" && (tool.mcp !== undefined || tool.pageTools === true)
        ? [tool.service]
        : [],
    ),
  )
  const others = needs
    .filter(
      ({ name, kind }) =>
        !declared.some((one) => one.name === name && one.kind === kind) &&
        (fromElsewhere.includes(kind) ||
          opened.has(name) ||
          exported.some((kinds) => Object.hasOwn(kinds, name))),
    )
    .map(({ name, kind }) => ({ name, kind }))
  // Names that the config does not use are suggested for misspelled names.
  const unused = exported
    .flatMap((kinds) => Object.keys(kinds))
    .filter((name) => ![...declared, ...needs].some((one) => one.name === name))
    .map((name) => ({ name, kind: "tool" as const }))
  return [...declared, ...others, ...unused]
}

/**
 * Returns the names of function tools that have neither a description nor parameters. Models can
 * call such a tool only without arguments.
 */
export function undeclaredTools({ agents, tools }: AgentChart): readonly string[] {
  const declarations = Object.values(agents).flatMap((agent) =>
    agent.type === "LlmAgent" ? agent.declarations : [],
  )
  const names = declarations.flatMap(({ function: { name, description, parameters } }) => {
    const tool = tools[name]
    const { properties } = parameters
    return tool?.type === "FunctionTool" &&
      description === name &&
      isJsonObject(properties) &&
      Object.keys(properties).length === 0
      ? [tool.service]
      : []
  })
  return [...new Set(names)]
}
