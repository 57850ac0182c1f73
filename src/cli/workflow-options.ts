import type { Command } from "commander"
import { Option } from "commander"
import type { CompileOptions } from "../compiler/compile.js"

/** How a config is read, as the command line says it. */
export interface WorkflowOptions {
  readonly dialect?: "graph-compose" | "adk"
  readonly node?: string
  readonly exitScope?: "agent" | "workflow"
}

/** Gives a command the options that decide how a config is compiled. */
export function withWorkflowOptions(command: Command): Command {
  return command
    .option("--node <id>", "which adk node to take from a workflow graph with several")
    .addOption(new Option("--dialect <name>", "how the config is written (found out unless given)").choices(["graph-compose", "adk"]))
    .addOption(new Option("--exit-scope <scope>", "what an agent's exitFlow ends").choices(["workflow", "agent"]))
}

export const compileOptions = ({ dialect, node, exitScope }: WorkflowOptions, file: string): CompileOptions => ({
  file,
  ...(dialect === undefined ? {} : { dialect }),
  ...(node === undefined ? {} : { node }),
  ...(exitScope === undefined ? {} : { subAgentExitFlow: exitScope }),
})
