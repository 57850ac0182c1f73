import type { JsonObject } from "../../../machines/data/json-object.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import { documentProblem } from "../../../openapi/read-operations.js"
import { report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"
import type { ParserLocation } from "../context/parser-context.js"
import { data } from "../fields/data.js"
import type { Reader } from "../fields/field-table.js"
import { filledText } from "../fields/plain-values.js"

/**
 * Parses the field `document` of an OpenAPI toolset: the path of an OpenAPI document, or the
 * document itself.
 */
export const openApiDocument: Reader<string | JsonObject> = (value, location) => {
  if (isJsonObject(value)) return data(value, location)
  const written = filledText(value, location)
  if (written === null || !/^https?:/i.test(written)) return written
  return report(location, {
    code: "bad_value",
    problem: `is ${describeValue(written)}, which is a URL. The compiler does not download documents`,
    fix: 'Save the document next to the config and write its path, such as "petstore.yaml".',
  })
}

/**
 * Returns the OpenAPI document for a path or an object. If the document cannot be read or is not
 * supported, reports an error and returns null.
 */
export function openDocument(
  given: string | JsonObject,
  location: ParserLocation,
): JsonObject | null {
  const document = typeof given === "string" ? openFile(given, location) : given
  if (document === null) return null
  const problem = documentProblem(document)
  if (problem === null && isJsonObject(document)) return document
  return report(location, {
    code: "bad_value",
    problem: problem ?? "is not an OpenAPI document",
    fix: "Use an OpenAPI 3.0 or 3.1 document. Convert documents of other versions first.",
  })
}

function openFile(written: string, location: ParserLocation): unknown {
  const { dataFiles } = location.parser
  if (dataFiles !== null) return dataFiles.follow(written, location)?.document?.value ?? null
  return report(location, {
    code: "missing_file",
    problem: `refers to the file ${describeValue(written)}, which is not available: this config was passed without its folder`,
    fix: 'Pass the folder: compile(text, { folder: openFolder("workflow.json") }).',
  })
}
