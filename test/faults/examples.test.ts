import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { cli } from "../cli/command.js"
import { examples } from "../examples/example-folder.js"

const projectFolder = fileURLToPath(new URL("../../", import.meta.url))

/** Certificates do not include called workflows. */
const isCertified = ({ chart }: (typeof examples)[number]): boolean =>
  !Object.hasOwn(chart as object, "workflows")

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
