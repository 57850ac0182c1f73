import type { Command } from "commander"
import { Option } from "commander"
import type { CompileOptions } from "../compiler/compile.js"
import { loadDeclarations } from "./run/load-services.js"

/** How a config is read, as the command line says it. */
export interface WorkflowOptions {
  readonly dialect?: "graph-compose" | "adk"
  readonly node?: string
  readonly exitScope?: "agent" | "workflow"
  readonly allowOutside?: boolean
  readonly allowProcesses?: boolean
  /** A module of the user: `declarations` in it say what its services are. */
  readonly services?: string
}

/** Gives a command the options that decide how a config is compiled. */
export function withWorkflowOptions(command: Command): Command {
  return command
    .option("--node <id>", "which adk node to take from a workflow graph with several")
    .addOption(new Option("--dialect <name>", "how the config is written (found out unless given)").choices(["graph-compose", "adk"]))
    .addOption(new Option("--exit-scope <scope>", "what an agent's exitFlow ends").choices(["workflow", "agent"]))
    .option("--allow-outside", "let a config_path lead out of the folder of root_agent.yaml")
    .option("--allow-processes", "let MCP servers be programs that a run starts")
}

export const withServices = (command: Command): Command =>
  command.option("--services <module>", "an ES module that exports host code, models and tools by name (services, models, tools), and may say what they are (declarations)")

export async function compileOptions({ dialect, node, exitScope, allowProcesses, services }: WorkflowOptions, file: string): Promise<CompileOptions> {
  const declared = services === undefined ? undefined : await loadDeclarations(services)
  return {
    file,
    ...(declared === undefined ? {} : { services: declared }),
    ...(dialect === undefined ? {} : { dialect }),
    ...(node === undefined ? {} : { node }),
    ...(allowProcesses === undefined ? {} : { allowProcesses }),
    ...(exitScope === undefined ? {} : { subAgentExitFlow: exitScope }),
  }
}
