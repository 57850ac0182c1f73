import * as z from "zod"
import { maxDataDepth, isDeeperThan } from "../machines/data/nesting.js"
import { HttpError } from "./http-error.js"

const badInput = (message: string): HttpError =>
  new HttpError(400, { code: "input_refused", message })

/**
 * Parses the JSON body of a request with a schema.
 *
 * @throws HttpError `input_refused` if the body is not JSON, is nested too deeply, or does not match.
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
 * Parses a value with a schema.
 *
 * @throws HttpError `input_refused` with every field that does not match.
 */
export function parseInput<Value>(schema: z.ZodType<Value>, input: unknown): Value {
  const parsed = schema.safeParse(input)
  if (!parsed.success) throw badInput(z.prettifyError(parsed.error))
  return parsed.data
}

/**
 * Parses a number of a query or header with up to 12 digits. Returns undefined if it is missing.
 *
 * @throws HttpError `input_refused` if it is not a whole number.
 */
export function parseWholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined
  if (!/^\d{1,12}$/.test(text)) throw badInput(`"${text}" must be a whole number, 0 or greater`)
  return Number(text)
}
