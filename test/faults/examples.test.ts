import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { cli } from "../cli/command.js"
import { examples } from "../examples/example-folder.js"

const projectFolder = fileURLToPath(new URL("../../", import.meta.url))

/**
 * Certificates do not include called workflows and remote agents, so a workflow that calls them has
 * none. The called workflows have their own certificates.
 */
const callsWorkflow = ({ chart }: (typeof examples)[number]): boolean =>
  Object.hasOwn(chart as object, "workflows")
const isCertified = (example: (typeof examples)[number]): boolean =>
  !callsWorkflow(example) && example.name !== "remote-agent"

/** The called workflows of examples, by the name of their file without `.json`. */
const called = [{ name: "newsletter", workflow: "research" }]

test("each example that calls workflows has certificates of the called workflows", () => {
  const calling = examples.filter(callsWorkflow).map(({ name }) => name)
  expect(called.map(({ name }) => name)).toEqual(calling)
})

test.each(called)(
  "$workflow, which $name calls, survives every single fault, as its certificate says",
  async ({ name, workflow }) => {
    const file = (of: string): string => `${projectFolder}examples/${name}/${of}`
    const { code, stdout, stderr } = await cli([
      "faults",
      file(`${workflow}.json`),
      "--scripted",
      file("scenario.json"),
      "--answers",
      file("answers.json"),
      "--against",
      file(`${workflow}.certificate.json`),
    ])
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" })
  },
)

test.each(examples.filter(isCertified))(
  "$name survives every single fault, as its certificate says",
  async ({ name, path, hasAnswers, hasServices }) => {
    const file = (of: string): string => `${projectFolder}examples/${name}/${of}`
    const { code, stdout, stderr } = await cli([
      "faults",
      `${projectFolder}${path}`,
      "--scripted",
      file("scenario.json"),
      ...(hasAnswers ? ["--answers", file("answers.json")] : []),
      ...(hasServices ? ["--services", file("services.mjs")] : []),
      "--against",
      file("faults.certificate.json"),
    ])
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" })
  },
)
