import { notInstalled } from "../../not-installed.js"

const sdk = await import("ai").catch(notInstalled("ai", "6", "adapters/model/ai-sdk"))

export const {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  NoContentGeneratedError,
  NoOutputGeneratedError,
  Output,
  TypeValidationError,
  generateText,
  jsonSchema,
  streamText,
  tool,
} = sdk
