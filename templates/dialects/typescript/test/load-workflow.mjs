import { compile } from "agent-statecharts"
import { workflow } from "../dist/workflow.js"

export * as code from "../dist/services.js"

export const { chart, diagnostics } = compile(workflow)
if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
