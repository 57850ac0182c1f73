import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { readWorkflow } from "../../src/compiler/read-workflow.js"
import { withServices } from "../conformance/stand-ins.mjs"
import { meaning } from "./workflow-meaning.js"

/** Each folder holds one workflow in ADK's own form, in three spellings; the vector of the same name has it in a list of agents. */
const folder = fileURLToPath(new URL("./adk-native/", import.meta.url))
const vectors = fileURLToPath(new URL("../conformance/vectors/", import.meta.url))

const names = readdirSync(folder).flatMap((theme) => readdirSync(join(folder, theme)).map((name) => `${theme}/${name}`))

const jsonOf = (file: string): object => JSON.parse(readFileSync(file, "utf8"))

// The vectors may be left out of a copy of the project; then there is nothing to compare with, and the tests are skipped.
const vectorOf = (name: string): { readonly config: object } => withServices(JSON.parse(readFileSync(join(vectors, `${name}.json`), "utf8")), [])

const codes = ({ diagnostics }: ReturnType<typeof readWorkflow>) =>
  diagnostics.flatMap(({ code, severity }) => (severity === "error" ? [code] : []))

describe.each(["snake", "camel", "inherit"])("ADK's own form as agent.%s.json", (spelling) => {
  test.skipIf(!existsSync(vectors)).each(names)("means what the conformance vector %s means", (name) => {
    const own = readWorkflow(jsonOf(join(folder, name, `agent.${spelling}.json`)))
    const listed = readWorkflow(vectorOf(name).config, { dialect: "adk" })
    expect(codes(own)).toEqual(codes(listed))
    expect(own.workflow && meaning(own.workflow)).toEqual(listed.workflow && meaning(listed.workflow))
  })
})

test("the spellings differ in the models only", () => {
  for (const name of names) {
    const [first, ...others] = ["snake", "camel", "inherit"].map((spelling) => readWorkflow(jsonOf(join(folder, name, `agent.${spelling}.json`))).workflow)
    for (const other of others) expect(other && meaning(other)).toEqual(first && meaning(first))
  }
})
