import * as z from "zod"
import { maxDataDepth, isDeeperThan } from "../machines/data/nesting.js"
import { HttpError } from "./http-error.js"

const badInput = (message: string): HttpError =>
  new HttpError(400, { code: "input_refused", message })

/**
 * Parses the JSON body of an HTTP request and validates it against a schema.
 *
 * @throws HttpError `input_refused` if the body is not JSON, is nested too deeply, or does not
 * match the schema
 */
export async function parseBody<Value>(request: Request, schema: z.ZodType<Value>): Promise<Value> {
  let body: unknown
  try {
    body = await request.json()
  } catch {
    throw badInput("the body of the request must be JSON")
  }
  if (isDeeperThan(maxDataDepth, body))
    throw badInput(`the body of the request must not be nested deeper than ${maxDataDepth} levels`)
  return parseInput(schema, body)
}

/**
 * Validates a value against a schema and returns the parsed value.
 *
 * @throws HttpError `input_refused` with a description of every invalid field
 */
export function parseInput<Value>(schema: z.ZodType<Value>, input: unknown): Value {
  const parsed = schema.safeParse(input)
  if (!parsed.success)
    throw badInput(
      `the request is not valid: ${parsed.error.issues.map(issueText).join("; ")}. GET /openapi.json describes the fields`,
    )
  return parsed.data
}

const issueText = ({ path, message }: z.core.$ZodIssue): string => {
  const words = message.replace(/^Invalid input: expected record/, "expected object")
  return `${path.length === 0 ? "the body" : `"${path.join(".")}"`}: ${words.replace(/^Invalid input: /, "")}`
}

/**
 * Parses a whole number from a query parameter or a header. Returns undefined if the text is
 * missing or empty.
 *
 * @throws HttpError `input_refused` if the text is not a whole number of at most 12 digits
 */
export function parseWholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined
  if (!/^\d{1,12}$/.test(text)) throw badInput(`"${text}" must be a whole number, 0 or greater`)
  return Number(text)
}
