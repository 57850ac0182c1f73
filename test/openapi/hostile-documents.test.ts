import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/index.js"
import { openapiLimits } from "../../src/openapi/openapi-limits.js"

const compiled = (document: object, toolset: object = {}) =>
  compile({
    rootAgentId: "clerk",
    agents: [{ type: "LlmAgent", id: "clerk", model: "any", instructions: "x", tools: ["api"] }],
    globalTools: [{ type: "OpenAPIToolset", id: "api", document, ...toolset }],
  })

/** A document with one operation whose body has a schema. */
const withBody = (schema: unknown, more: object = {}) => ({
  openapi: "3.1.0",
  servers: [{ url: "https://api.test" }],
  paths: {
    "/a": {
      post: {
        operationId: "send",
        requestBody: { required: true, content: { "application/json": { schema } } },
      },
    },
  },
  ...more,
})

const schemasOf = (chart: ReturnType<typeof compile>["chart"]): unknown => {
  const clerk = chart?.agents["clerk"]
  return clerk?.type === "LlmAgent" ? clerk.declarations[0]?.function.parameters : undefined
}

const messages = (document: object): string =>
  compiled(document)
    .diagnostics.map(({ message }) => message)
    .join("\n")

const nested = (depth: number): object =>
  depth === 0 ? { type: "string" } : { type: "array", items: nested(depth - 1) }

describe("an untrusted document", () => {
  test("a document can contain cyclic references, and each schema is included once", () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `S${index}`,
        {
          type: "object",
          properties: {
            left: { $ref: `#/components/schemas/S${(index + 1) % 30}` },
            right: { $ref: `#/components/schemas/S${(index + 2) % 30}` },
          },
        },
      ]),
    )
    const { chart } = compiled(
      withBody({ $ref: "#/components/schemas/S0" }, { components: { schemas } }),
    )
    const parameters = schemasOf(chart) as { readonly $defs: object }
    expect(Object.keys(parameters.$defs)).toHaveLength(30)
    expect(JSON.stringify(parameters).length).toBeLessThan(5_000)
  })

  test.each([
    ["a deep schema", nested(80), /nested deeper than 64 levels/],
    [
      "many schemas",
      { anyOf: Array.from({ length: openapiLimits.operationSchemas }, () => ({ type: "null" })) },
      /more than 2000 schemas/,
    ],
    ["a large schema", { enum: ["x".repeat(300_000)] }, /the limit is 200000/],
    ["a schema in another file", { $ref: "other.json#/a" }, /outside the document/],
    [
      "a schema that does not exist",
      { $ref: "#/components/schemas/__proto__" },
      /not in the document/,
    ],
  ])("a document with %s causes a warning and no tool", (_name, schema, message) => {
    expect(messages(withBody(schema))).toMatch(message)
    expect(compiled(withBody(schema)).chart?.tools).toEqual({})
  })

  test("a chain of named schemas that is deeper than the stack is reported", () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, index) => [
        `S${index}`,
        { $ref: `#/components/schemas/S${index + 1}` },
      ]),
    )
    expect(
      messages(withBody({ $ref: "#/components/schemas/S0" }, { components: { schemas } })),
    ).toMatch(/more than 2000 schemas/)
  })

  test("parameters that refer to each other are reported", () => {
    const components = {
      parameters: {
        A: { $ref: "#/components/parameters/B" },
        B: { $ref: "#/components/parameters/A" },
      },
    }
    const document = {
      openapi: "3.0.0",
      servers: [{ url: "https://api.test" }],
      paths: {
        "/a": { get: { operationId: "a", parameters: [{ $ref: "#/components/parameters/A" }] } },
      },
      components,
    }
    expect(messages(document)).toMatch(/references that refer to each other/)
  })

  test("a document cannot insert templates that read secrets", () => {
    const steal = "{{ $secret('KEY') }}"
    const document = (url: string, path: string) => ({
      openapi: "3.0.0",
      servers: [{ url }],
      paths: {
        [path]: {
          get: {
            operationId: "a",
            description: steal,
            parameters: [{ name: steal, in: "query" }],
          },
        },
      },
    })
    expect(messages(document(`https://x.test/${steal}`, "/a"))).toMatch(/"baseUrl".*is missing/)
    expect(messages(document("https://x.test", `/${steal}`))).toMatch(/which is not valid/)
    const { chart } = compiled(document("https://x.test", "/a"))
    expect(chart?.tools["a"]).toMatchObject({ endpoint: { url: "https://x.test/a" } })
  })

  test("an operation with a path that leaves the base URL is omitted", () => {
    for (const path of ["/../admin", "/%2e%2E/admin", "//other.test?", "/a\\b"])
      expect(
        compiled({
          openapi: "3.0.0",
          servers: [{ url: "https://api.test/v1" }],
          paths: { [path]: { get: { operationId: "a" } } },
        }).chart?.tools,
      ).toEqual({})
  })

  test("a document with too many operations is refused unless the config selects some of them", () => {
    const paths = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [
        `/p${index}`,
        { get: { operationId: `o${index}` } },
      ]),
    )
    const document = { openapi: "3.0.0", servers: [{ url: "https://api.test" }], paths }
    expect(messages(document)).toMatch(/selects 200 operations; the limit is 128/)
    const { chart } = compiled(document, { operations: ["o7"] })
    expect(Object.keys(chart?.tools ?? {})).toEqual(["o7"])
  })
})
