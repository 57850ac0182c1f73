import { expect, test } from "vitest"
import type { Diagnostic } from "../../src/compiler/diagnostics/diagnostic.js"
import { foldDiagnostics } from "../../src/compiler/diagnostics/fold-diagnostics.js"

const missing = (agent: string, code: Diagnostic["code"] = "unknown_agent"): Diagnostic => ({
  code,
  severity: "error",
  message: `"${agent}" does not exist.`,
  fix: "Add it.",
  pointer: `/agents/${agent}`,
})

test("equal diagnostics are folded after the third one, and other diagnostics keep their positions", () => {
  const many = Array.from({ length: 215 }, (_, index) => missing(`a${index}`))
  const other = missing("b", "unknown_tool")
  const folded = foldDiagnostics([...many.slice(0, 2), other, ...many.slice(2)])
  expect(folded.map(({ diagnostic, more }) => [diagnostic.pointer, more.length])).toEqual([
    ["/agents/a0", 0],
    ["/agents/a1", 0],
    ["/agents/b", 0],
    ["/agents/a2", 212],
  ])
})

test("a single diagnostic is not folded, because the folded form would be just as long", () => {
  const four = ["a", "b", "c", "d"].map((agent) => missing(agent))
  expect(foldDiagnostics(four).map(({ more }) => more.length)).toEqual([0, 0, 0, 0])
})
