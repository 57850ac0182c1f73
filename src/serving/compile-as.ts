import type { CompileOptions } from "../compiler/compile.js"

/** How a server reads the workflows of its folder: what its user allows them, and what their services are. */
export type CompileAs = Pick<CompileOptions, "allowProcesses" | "services">
