import type { Command } from "commander"
import { Option } from "commander"
import type { CompileOptions } from "../compiler/compile.js"
import type { CompileAs } from "../serving/compile-as.js"
import { loadDeclarations } from "./run/load-services.js"

/** Command-line options for how a config is compiled. */
export interface WorkflowOptions {
  readonly dialect?: "graph-compose" | "adk"
  readonly node?: string
  readonly exitScope?: "agent" | "workflow"
  readonly allowOutside?: boolean
  readonly allowProcesses?: boolean
  /** Module of the user whose `declarations` export describes its services. */
  readonly services?: string
}

/** Adds the options that control compilation to a command. */
export function withWorkflowOptions(command: Command): Command {
  return command
    .option("--node <id>", "id of the adk node to compile, if a workflow graph has several")
    .addOption(
      new Option(
        "--dialect <name>",
        "dialect of the config (detected automatically by default)",
      ).choices(["graph-compose", "adk"]),
    )
    .addOption(
      new Option(
        "--exit-scope <scope>",
        "whether an agent's exitFlow ends the workflow or only the agent",
      ).choices(["workflow", "agent"]),
    )
    .option("--allow-outside", "allow a config_path outside the folder of root_agent.yaml")
    .option("--allow-processes", "allow MCP servers that run as local processes (stdio)")
}

export const withServices = (command: Command): Command =>
  command.option(
    "--services <module>",
    "ES module that exports host functions, models and tools by name (services, models, tools) and, optionally, their declarations",
  )

/** Returns the compile options that the command-line options select. */
export async function compileAs({
  allowProcesses,
  services,
}: Pick<WorkflowOptions, "allowProcesses" | "services">): Promise<CompileAs> {
  const declared = services === undefined ? undefined : await loadDeclarations(services)
  return {
    ...(declared === undefined ? {} : { services: declared }),
    ...(allowProcesses === undefined ? {} : { allowProcesses }),
  }
}

export async function compileOptions(
  { dialect, node, exitScope, ...options }: WorkflowOptions,
  file: string,
): Promise<CompileOptions> {
  return {
    file,
    ...(await compileAs(options)),
    ...(dialect === undefined ? {} : { dialect }),
    ...(node === undefined ? {} : { node }),
    ...(exitScope === undefined ? {} : { subAgentExitFlow: exitScope }),
  }
}
