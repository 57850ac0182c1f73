import { BaseTool, FunctionTool, LlmAgent } from "agent-statecharts/adk"
import type {
  Content,
  LlmResponse,
  StandardSchema,
  ToolExecuteArgument,
} from "agent-statecharts/adk"
import { describe, expect, expectTypeOf, test } from "vitest"
import * as z from "zod"

const toolOf = (parameters: ConstructorParameters<typeof FunctionTool>[0]["parameters"] | object) =>
  new FunctionTool({
    name: "pay",
    description: "Pays.",
    parameters: parameters as never,
    execute: () => null,
  })

const declared = (tool: BaseTool) => tool._getDeclaration()?.parametersJsonSchema

/** A library that validates, with or without saying what in JSON. */
const library = (more: object): StandardSchema<{ amount: number }> =>
  ({
    "~standard": {
      version: 1,
      vendor: "other",
      validate: (value: unknown) => ({ value }),
      ...more,
    },
  }) as never

describe("the parameters of a tool may be", () => {
  test("a zod schema: descriptions, optional fields and enums reach the model", () => {
    const schema = z.object({
      city: z.string().describe("Which one."),
      unit: z.enum(["c", "f"]).optional(),
      days: z.number().int().default(1),
    })
    expect(declared(toolOf(schema))).toMatchObject({
      type: "object",
      properties: {
        city: { type: "string", description: "Which one." },
        unit: { enum: ["c", "f"] },
        days: { type: "integer", default: 1 },
      },
      required: ["city"],
    })
  })

  test("a JSON schema, also in Google's spelling", () => {
    expect(declared(toolOf({ type: "object", properties: { type: { type: "string" } } }))).toEqual({
      type: "object",
      properties: { type: { type: "string" } },
    })
    expect(
      declared(
        toolOf({
          type: "OBJECT",
          properties: { all: { type: "ARRAY", items: { type: "NUMBER" } } },
        }),
      ),
    ).toEqual({ type: "object", properties: { all: { type: "array", items: { type: "number" } } } })
  })

  test("of any library that follows Standard Schema and has a JSON form", () => {
    expect(
      declared(
        toolOf(library({ jsonSchema: { input: () => ({ $schema: "x", type: "object" }) } })),
      ),
    ).toEqual({ type: "object" })
  })
})

describe("a schema that cannot be told to a model is refused, with the tool and the fix", () => {
  test.each([
    ["a library without a JSON form", library({}), /the tool "pay".*"other".*JSON schema/i],
    [
      "a type that JSON does not have",
      z.object({ when: z.date() }),
      /the tool "pay".*Date.*transform/i,
    ],
    ["no schema at all", "text", /the tool "pay".*zod/i],
  ])("%s", (_, parameters, message) => {
    expect(() => toolOf(parameters as object)).toThrow(
      expect.objectContaining({
        code: "definition_refused",
        message: expect.stringMatching(message),
      }),
    )
  })

  test("and so is that of an agent's answer", () => {
    expect(() =>
      new LlmAgent({ name: "a", outputSchema: z.object({ id: z.bigint() }) }).toJSON(),
    ).toThrow(/the outputSchema of the agent "a"/i)
  })
})

describe("names", () => {
  test("a tool is called as its function is, unless it has a name", () => {
    const getTime = () => 12
    expect(new FunctionTool({ description: "Tells.", execute: getTime }).name).toBe("getTime")
    expect(
      () =>
        new FunctionTool({
          description: "Tells.",
          execute: (
            () => () =>
              12
          )(),
        }),
    ).toThrow(/has no name/)
    expect(() => new FunctionTool({ description: "Tells.", execute: () => 12 })).toThrow(
      /has no name/,
    )
  })
})

describe("types", () => {
  test("execute receives the parsed arguments, or any object if there is no schema", () => {
    const schema = z.object({
      day: z.string().transform((text) => text.length),
      hour: z.number().default(9),
    })
    expectTypeOf<ToolExecuteArgument<typeof schema>>().toEqualTypeOf<{
      day: number
      hour: number
    }>()
    expectTypeOf<ToolExecuteArgument<undefined>>().toEqualTypeOf<Record<string, unknown>>()
    const wrong = new FunctionTool({
      name: "at",
      description: "At.",
      parameters: schema,
      // @ts-expect-error: the schema has no field "dya"
      execute: ({ dya }) => dya,
    })
    expect(wrong.name).toBe("at")
  })

  test("contents in Google's own types fit where contents are due", () => {
    interface GooglePart {
      text?: string
      thought?: boolean
      inlineData?: { data?: string; mimeType?: string; displayName?: string }
      functionCall?: { id?: string; name?: string; args?: Record<string, unknown> }
      functionResponse?: {
        id?: string
        name?: string
        response?: Record<string, unknown>
        willContinue?: boolean
      }
    }
    interface GoogleContent {
      role?: string
      parts?: GooglePart[]
    }
    expectTypeOf<GoogleContent>().toExtend<Content>()
    expectTypeOf<{ content: GoogleContent }>().toExtend<LlmResponse>()
  })

  test("what ADK has and this has not is no option", () => {
    // @ts-expect-error: planners are not supported
    expect(() => new LlmAgent({ name: "a", planner: {} })).toThrow(/planner/)
  })
})
