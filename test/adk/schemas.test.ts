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

/** Returns a schema of a library that validates, with or without a JSON form. */
const library = (more: object): StandardSchema<{ amount: number }> =>
  ({
    "~standard": {
      version: 1,
      vendor: "other",
      validate: (value: unknown) => ({ value }),
      ...more,
    },
  }) as never

describe("the parameters of a tool", () => {
  test("a zod schema is declared with its descriptions, optional fields and enums", () => {
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

  test("a JSON schema is declared unchanged, and a schema in Google's spelling is converted", () => {
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

  test("a schema of any Standard Schema library with a JSON form is declared", () => {
    expect(
      declared(
        toolOf(library({ jsonSchema: { input: () => ({ $schema: "x", type: "object" }) } })),
      ),
    ).toEqual({ type: "object" })
  })
})

describe("schemas that have no JSON form", () => {
  test.each([
    ["a library without a JSON form", library({}), /the tool "pay".*"other".*JSON schema/i],
    [
      "a type that JSON does not have",
      z.object({ when: z.date() }),
      /the tool "pay".*Date.*transform/i,
    ],
    ["no schema at all", "text", /the tool "pay".*zod/i],
  ])("%s is refused with the name of the tool and a fix", (_, parameters, message) => {
    expect(() => toolOf(parameters as object)).toThrow(
      expect.objectContaining({
        code: "definition_refused",
        message: expect.stringMatching(message),
      }),
    )
  })

  test("an outputSchema without a JSON form is refused with the name of the agent", () => {
    expect(() =>
      new LlmAgent({ name: "a", outputSchema: z.object({ id: z.bigint() }) }).toJSON(),
    ).toThrow(/the outputSchema of the agent "a"/i)
  })
})

describe("names", () => {
  test("a tool without a name has the name of its function, and an anonymous function is refused", () => {
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

  test("Google's own content types are assignable to the content types of this package", () => {
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

  test("an option of ADK that is not supported is a type error and is refused", () => {
    // @ts-expect-error: planners are not supported
    expect(() => new LlmAgent({ name: "a", planner: {} })).toThrow(/planner/)
  })
})
