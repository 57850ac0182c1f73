import type { Command } from "commander"
import { Option } from "commander"

/** Command-line options for the compilation of a workflow config. */
export interface WorkflowOptions {
  readonly dialect?: "graph-compose" | "adk"
  readonly node?: string
  readonly exitScope?: "agent" | "workflow"
  readonly allowOutside?: boolean
  readonly allowProcesses?: boolean
  /**
   * Path of the user's services module. Its export `declarations` describes the services for the
   * compiler.
   */
  readonly services?: string
}

/** Adds the command-line options for the compilation of a workflow config to a command. */
export function withWorkflowOptions(command: Command): Command {
  return command
    .option("--node <id>", "id of the ADK node to compile (default: the only node of the workflow)")
    .addOption(
      new Option(
        "--dialect <name>",
        "dialect of the config (detected automatically by default)",
      ).choices(["graph-compose", "adk"]),
    )
    .addOption(
      new Option(
        "--exit-scope <scope>",
        "whether an agent's exitFlow ends the workflow or only the agent (default: the setting in the config, otherwise workflow)",
      ).choices(["workflow", "agent"]),
    )
    .option(
      "--allow-outside",
      "allow config_path to refer to files outside the folder of root_agent.yaml",
    )
    .option("--allow-processes", "allow MCP servers that run as local processes (stdio)")
}

export const withServices = (command: Command): Command =>
  command.option(
    "--services <module>",
    "ES module that exports host functions, models and tools by name (services, models, tools) and, optionally, their declarations",
  )
