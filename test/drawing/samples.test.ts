import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/index.js"
import { drawMermaid } from "../../src/drawing/index.js"

const folder = fileURLToPath(new URL("samples/", import.meta.url))

describe("the drawing of a chart", () => {
  test.for(readdirSync(folder))("the sample %s has the expected drawing", async (name) => {
    const { chart, diagnostics } = compile(readFileSync(`${folder}${name}/config.json`, "utf8"))
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([])
    if (chart === null) return
    const drawing = drawMermaid(chart)
    await expect(drawing).toMatchFileSnapshot(`${folder}${name}/expected.mmd`)
    await expect(drawMermaid(chart, { detail: "all" })).toMatchFileSnapshot(
      `${folder}${name}/expected-all.mmd`,
    )
    // The drawing depends only on the JSON, so a chart that was stored and loaded again is drawn in the same way.
    expect(drawMermaid(JSON.parse(JSON.stringify(chart)))).toBe(drawing)
  })
})
