import type { CompileOptions } from "../compiler/compile.js"

/** Compile options that a server uses for all workflows in its folder. */
export type CompileAs = Pick<CompileOptions, "allowProcesses" | "services">
