export { compile } from "./compiler/index.js"
export type { CompileOptions, Compiled, Diagnostic, DiagnosticCode } from "./compiler/index.js"
export { AgentStatechartsError, errorCodes } from "./errors.js"
export type { ErrorCode } from "./errors.js"
