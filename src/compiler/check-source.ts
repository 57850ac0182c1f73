import { describeArgument, checkOptions, refuseArgument } from "../machines/data/check-arguments.js"
import { isJsonObject } from "../machines/data/json-object.js"

/**
 * Throws if an argument of `compile` is not usable at all, for example if the config is a promise
 * or an option is unknown. Problems inside a config are reported as diagnostics instead.
 *
 * @throws AgentStatechartsError `argument_invalid`
 */
export function checkSource(
  source: unknown,
  options: unknown,
  optionNames: readonly string[],
): void {
  checkOptions(options, {
    call: "compile",
    example: '{ file: "workflow.json" }',
    known: optionNames,
  })
  const received = "compile needs a workflow config, but received"
  if (isJsonObject(source)) {
    if ("then" in source && typeof source["then"] === "function")
      refuseArgument(
        `${received} a promise. Add await: compile(await readFile("workflow.json", "utf8")).`,
      )
    if (ArrayBuffer.isView(source))
      refuseArgument(
        `${received} bytes. Read the file as text: compile(readFileSync("workflow.json", "utf8")).`,
      )
    if ("formatVersion" in source && "fingerprint" in source)
      refuseArgument(`${received} a chart, which is already compiled. Pass the chart to a runner.`)
    if ("chart" in source && "diagnostics" in source)
      refuseArgument(
        `${received} the result of compile. Pass its field "chart" to a runner, or compile the config itself.`,
      )
  } else if (typeof source !== "string" && !Array.isArray(source))
    refuseArgument(
      `${received} ${describeArgument(source)}. Pass the config as JSON or YAML text, as an object, or as a folder from openFolder.`,
    )
}
