import type { JsonObject } from "../../../machines/data/json-object.js"
import type { SchemeCredential } from "../../../openapi/credentials.js"

/**
 * Maps each value type that is plain data, such as a text or a number, to the TypeScript type of
 * its parsed values.
 */
export interface ParsedPlainValues {
  readonly text: string
  readonly filledText: string
  readonly flag: boolean
  readonly count: number
  readonly factor: number
  readonly amount: number
  readonly seconds: number
  readonly agentId: string
  readonly toolId: string
  readonly outputKey: string
  readonly noOutputKey: never
  readonly condition: string
  readonly items: string
  readonly stateName: string
  readonly data: JsonObject
  readonly state: JsonObject
  readonly url: string
  readonly httpMethod: string
  readonly model: string
  readonly content: string
  readonly jsonSchema: JsonObject
  readonly modelSettings: JsonObject
  readonly routes: readonly string[]
  readonly nodeService: string
  readonly routerService: string
  readonly toolService: string
  readonly machineService: string
  readonly toolNames: readonly string[]
  readonly stateKeys: readonly string[]
  readonly agentList: readonly unknown[]
  readonly toolList: readonly unknown[]
  /** The path of an OpenAPI document, or the document itself. */
  readonly openApiDocument: string | JsonObject
  readonly openApiAuth: Readonly<Record<string, SchemeCredential>>
}
