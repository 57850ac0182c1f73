import { readFile } from "node:fs/promises"
import { compile } from "agent-statecharts"

export * as code from "../services.mjs"

export const { chart, diagnostics } = compile(await readFile("workflow.json", "utf8"))
if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
