import { compile } from "agent-statecharts"
import { openFolder } from "agent-statecharts/adapters/files"

export * as code from "../services.mjs"

export const { chart, diagnostics } = compile(openFolder("agents"))
if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
