import type { CompileOptions } from "../compiler/compile.js"

/** The compile options that a server applies to every workflow of its folder. */
export type CompileAs = Pick<CompileOptions, "allowProcesses" | "services">
