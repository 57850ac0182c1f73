import { failureClasses } from "../../machines/contract/activity.js"
import { systemKeys } from "../../machines/data/system-keys.js"

/** A JSON Schema or a part of one. */
export type ValueSchema = boolean | { readonly [keyword: string]: unknown }

const ref = (definition: string) => ({ $ref: `#/$defs/${definition}` })

const listOf = (items: ValueSchema) => ({ type: "array", items })

const identifier = { type: "string", pattern: "^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$" }

const text = { type: "string" }

const filledText = { type: "string", minLength: 1 }

const object = { type: "object" }

/** JSON Schema of a text that consists of a `{{ }}` template. */
const expression = { type: "string", pattern: "^\\s*\\{\\{[^]*\\}\\}\\s*$" }

const inAnyCase = (word: string): string =>
  word.replaceAll(/[A-Z]/g, (letter) => `[${letter}${letter.toLowerCase()}]`)

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

/** JSON Schema of a service name, which is a string or an object that contains the name. */
const serviceName = { anyOf: [filledText, object] }

/**
 * The JSON Schemas of the values of config fields, by value type. A schema accepts every value that
 * the parser accepts. The parser also checks rules that a schema cannot express, such as the syntax
 * of conditions.
 */
export const valueTypes = {
  unchecked: true,
  text,
  filledText,
  flag: { type: "boolean" },
  count: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  factor: { type: "number", minimum: 1 },
  amount: { type: "number", minimum: 0 },
  seconds: { type: "number", exclusiveMinimum: 0 },
  nodeOptions: { type: "object", additionalProperties: ref("nodeOptions") },
  nodeRetry: ref("nodeRetry"),
  duration: {
    anyOf: [
      { type: "string", pattern: "^\\d*\\.?\\d+ *[A-Za-z]*$" },
      { type: "number", exclusiveMinimum: 0 },
    ],
  },
  agentId: identifier,
  agentClass: true,
  toolId: identifier,
  reference: text,
  outputKey: { ...filledText, not: { enum: [...systemKeys] } },
  noOutputKey: false,
  condition: filledText,
  items: filledText,
  stateName: {
    type: "string",
    pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
    not: { enum: [...systemKeys] },
  },
  collect: {
    type: "object",
    propertyNames: { minLength: 1, not: { enum: [...systemKeys] } },
    additionalProperties: filledText,
  },
  forEach: ref("forEach"),
  completion: {
    anyOf: [
      { enum: ["all", "first-success"] },
      {
        type: "object",
        properties: { quorum: { type: "integer", minimum: 1 } },
        required: ["quorum"],
      },
    ],
  },
  data: object,
  machineService: serviceName,
  userMachine: object,
  machineInput: {
    anyOf: [listOf(filledText), { type: "object", additionalProperties: filledText }],
  },
  calledWorkflow: { anyOf: [filledText, object] },
  workflowFile: filledText,
  state: object,
  stateMerge: {
    type: "object",
    additionalProperties: { enum: ["replace", "append", "add", "max", "min", "union"] },
    propertyNames: { not: { enum: [...systemKeys] } },
  },
  openApiDocument: { anyOf: [filledText, object] },
  openApiAuth: {
    type: "object",
    additionalProperties: {
      anyOf: [
        filledText,
        {
          type: "object",
          properties: { username: filledText, password: filledText },
          required: ["username", "password"],
          additionalProperties: false,
        },
      ],
    },
  },
  url: { type: "string", pattern: "^(?:[Hh][Tt][Tt][Pp][Ss]?://|\\{\\{)" },
  httpMethod: { type: "string", pattern: `^(?:${methods.map(inAnyCase).join("|")})$` },
  headers: {
    type: "object",
    propertyNames: { pattern: "^[!#$%&'*+.^_`|~\\w-]+$" },
    additionalProperties: { not: { type: "null" } },
  },
  httpBody: { anyOf: [object, { type: "string", pattern: "\\{\\{" }] },
  httpConfig: ref("httpConfig"),
  activityConfig: ref("activityConfig"),
  modelActivityConfig: ref("modelActivityConfig"),
  retryPolicy: ref("retryPolicy"),
  budget: ref("budget"),
  compaction: ref("compaction"),
  guardrails: ref("guardrails"),
  inputGuardrails: listOf({ anyOf: [filledText, ref("inputGuardrail")] }),
  outputGuardrails: listOf({ anyOf: [filledText, ref("outputGuardrail")] }),
  guardrailService: filledText,
  onExceeded: {
    anyOf: [
      { enum: ["limit", "ask"] },
      {
        type: "object",
        properties: { message: filledText },
        required: ["message"],
      },
    ],
  },
  model: serviceName,
  fallback: { ...listOf({ anyOf: [filledText, ref("modelFallback")] }), minItems: 1 },
  modelRoutes: { ...listOf(ref("modelRoute")), minItems: 1 },
  failureClasses: {
    anyOf: [
      { enum: [...failureClasses] },
      { ...listOf({ enum: [...failureClasses] }), minItems: 1 },
    ],
  },
  instruction: { anyOf: [text, object] },
  content: { anyOf: [text, object, { type: "array" }] },
  jsonSchema: { anyOf: [text, object] },
  modelSettings: object,
  callbacks: { anyOf: [serviceName, listOf(serviceName)] },
  tools: listOf(ref("toolUse")),
  handoffTargets: listOf(ref("agent")),
  positions: { ...listOf(ref("position")), minItems: 1 },
  codeSubAgents: listOf(ref("position")),
  edges: { ...listOf({ anyOf: [{ type: "array", minItems: 2 }, object] }), minItems: 1 },
  inlineNodes: listOf(ref("agent")),
  routes: listOf(filledText),
  nodeService: serviceName,
  routerService: serviceName,
  toolService: serviceName,
  toolNames: { ...listOf(filledText), minItems: 1 },
  answerChoices: { ...listOf({ type: ["string", "number", "boolean"] }), minItems: 1 },
  stateKeys: { ...listOf(filledText), minItems: 1 },
  agentList: { ...listOf(ref("agent")), minItems: 1 },
  toolList: listOf(ref("tool")),
  plugins: listOf({ anyOf: [filledText, object] }),
  adkConfig: ref("adkConfig"),
  nodeList: { ...listOf(ref("taskNode")), minItems: 1 },
  nodeId: { type: "string", pattern: "^[A-Za-z0-9_]{1,128}$" },
  dependencies: listOf(text),
  workflowConfig: ref("graphLimits"),
  nodeActivity: ref("activityConfig"),
  nodeRequest: ref("httpConfig"),
  destinationRequest: {
    allOf: [
      ref("httpConfig"),
      {
        properties: { body: { type: "object", required: ["sheetId", "cellValues"] } },
        required: ["body"],
      },
    ],
  },
  outputMapping: object,
  nodeValidation: ref("nodeValidation"),
  nodeConditions: ref("nodeConditions"),
  continueTo: listOf(ref("continueEntry")),
  graphCondition: expression,
  graphConditions: listOf(expression),
  graphExpression: expression,
  loopItems: ref("loopItems"),
  loopConfig: ref("loopConfig"),
  childWorkflowConfig: ref("childWorkflowConfig"),
} as const satisfies Readonly<Record<string, ValueSchema>>

/** Name of a value type of config fields, such as `duration`. */
export type ValueType = keyof typeof valueTypes
