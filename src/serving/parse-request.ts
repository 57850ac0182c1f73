import type * as z from "zod"
import { prettifyError } from "zod"
import { deepestData, isDeeperThan } from "../machines/data/nesting.js"
import { HttpRefusal } from "./http-refusal.js"

/** The body of a request, as a schema has it. */
export async function parseBody<Value>(request: Request, schema: z.ZodType<Value>): Promise<Value> {
  let body: unknown
  try {
    body = await request.json()
  } catch {
    throw new HttpRefusal(400, { code: "input_refused", message: "the body must be JSON" })
  }
  if (isDeeperThan(deepestData, body))
    throw new HttpRefusal(400, {
      code: "input_refused",
      message: `the body is nested deeper than ${deepestData} levels`,
    })
  const read = schema.safeParse(body)
  if (!read.success)
    throw new HttpRefusal(400, { code: "input_refused", message: prettifyError(read.error) })
  return read.data
}

/** A number in a query or a header; undefined where there is none. */
export function parseWholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined
  if (!/^\d{1,12}$/.test(text))
    throw new HttpRefusal(400, {
      code: "input_refused",
      message: `"${text}" is not a whole number`,
    })
  return Number(text)
}
