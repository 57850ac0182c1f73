import type { HttpEndpoint } from "../../../machines/contract/services.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import type { ParserLocation } from "../context/parser-context.js"
import type { Reader } from "../fields/field-table.js"
import { httpConfig } from "../fields/http-config.js"
import { objectOf, refuseType } from "../fields/plain-values.js"

const withoutBody = ["GET", "HEAD"]

/**
 * Parses the HTTP request of a graph node. Reports an error if a GET or HEAD request has a body.
 */
export const nodeRequest: Reader<HttpEndpoint> = (value, location) => {
  const endpoint = httpConfig(value, location)
  if (endpoint?.body === undefined || !withoutBody.includes(endpoint.method)) return endpoint
  return report(fieldOf(location, "body"), {
    code: "bad_value",
    problem: `belongs to a ${endpoint.method} request, which has no body`,
    fix: "Remove the body, or use the method POST.",
  })
}

/**
 * Parses the HTTP request of a Graph Compose node of the type `destination`. The request body has
 * the form `{sheetId, cellValues}`. Column names are sent verbatim, so braces in them are escaped.
 */
export const destinationRequest: Reader<HttpEndpoint> = (value, location) => {
  const object = objectOf(value)
  if (object === null) return nodeRequest(value, location)
  const bodyAt = fieldOf(location, "body")
  const body = objectOf(object["body"])
  if (body === null) {
    report(
      { ...bodyAt, pointer: object["body"] === undefined ? location.pointer : bodyAt.pointer },
      {
        code: "missing_field",
        problem: "must be an object with sheetId and cellValues",
        fix: 'Write "body": {"sheetId": "...", "cellValues": [{"columnName": "...", "value": "..."}]}.',
      },
    )
    return null
  }
  const sheetId = body["sheetId"] ?? body["sheet_id"]
  if (typeof sheetId !== "string" || sheetId === "")
    report(
      { ...fieldOf(bodyAt, "sheetId"), pointer: bodyAt.pointer },
      {
        code: "missing_field",
        problem: "must be the id of a sheet",
        fix: 'Add "sheetId": "...".',
      },
    )
  const cells = body["cellValues"] ?? body["cell_values"]
  const cellsAt = fieldOf(bodyAt, body["cellValues"] === undefined ? "cell_values" : "cellValues")
  if (!Array.isArray(cells)) {
    refuseType(
      cells,
      { ...cellsAt, pointer: cells === undefined ? bodyAt.pointer : cellsAt.pointer },
      "a list of cells",
      '[{"columnName": "Name", "value": "{{ results.get_user.data.name }}"}]',
    )
    return null
  }
  const cellValues = cells.map((cell, index) => readCell(cell, fieldOf(cellsAt, index)))
  const endpoint = nodeRequest(
    { ...object, body: { ...withoutCells(body), sheetId, cellValues } },
    location,
  )
  return cellValues.includes(null) || typeof sheetId !== "string" ? null : endpoint
}

const withoutCells = (body: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const { cellValues: _values, cell_values: _snake, sheet_id: _id, ...others } = body
  return others
}

function readCell(cell: unknown, location: ParserLocation): Record<string, unknown> | null {
  const object = objectOf(cell)
  const columnName = object?.["columnName"] ?? object?.["column_name"]
  if (object === null || typeof columnName !== "string" || object["value"] === undefined)
    return refuseType(
      cell,
      location,
      "a cell with columnName and value",
      '{"columnName": "Name", "value": "{{ results.get_user.data.name }}"}',
    )
  return { columnName: verbatim(columnName), value: object["value"] }
}

/** Returns a template that evaluates to exactly this text, even if the text contains `{{`. */
const verbatim = (text: string): string =>
  text.includes("{{") ? `{{ ${JSON.stringify(text)} }}` : text
