export { compile } from "./compile.js"
export type { CompileOptions, Compiled } from "./compile.js"
export { diagnosticCodes } from "./diagnostics.js"
export type { Diagnostic, DiagnosticCode } from "./diagnostics.js"
