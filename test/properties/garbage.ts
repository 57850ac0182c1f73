/** Functions that create responses that no service should return. Some are JSON with a wrong structure, and some are not JSON. */
const kinds: readonly (() => unknown)[] = [
  () => null,
  () => 7,
  () => "It is out.",
  () => [],
  () => true,
  () => ({ content: 5 }),
  () => ({ content: ["a"] }),
  () => ({ toolCalls: {} }),
  () => ({ toolCalls: [null] }),
  () => ({ toolCalls: [{ function_name: 7 }] }),
  () => ({ toolCalls: [{ function_name: "find", function_args: "x" }] }),
  () => ({ toolCalls: [{ function_name: "find", id: 3 }] }),
  () => ({ exitFlow: "yes" }),
  () => ({ hitlRequest: {} }),
  () => ({ hitlRequest: "may I?" }),
  () => ({
    content: "\ud800 \u0000 \u202e",
    toolCalls: [{ id: "ü/\u0000 .#", function_name: "find", function_args: { "": 1 } }],
  }),
  () => ({
    content: null,
    toolCalls: [
      { id: "x", function_name: "find" },
      { id: "x", function_name: "find" },
      { id: "x", function_name: "order" },
    ],
  }),
  () => ({
    content: null,
    toolCalls: [
      { id: "__proto__", function_name: "constructor" },
      { id: "toString", function_name: "__proto__" },
    ],
  }),
  () => ({
    content: null,
    toolCalls: [
      { id: "", function_name: "transfer_to_agent" },
      { function_name: "transfer_to_agent", function_args: { agent_name: "__proto__" } },
    ],
  }),
  () => ({ content: "a", usage: { inputTokens: -1, outputTokens: "many" } }),
  () => ({ content: "a", usage: { inputTokens: 1e308, outputTokens: 1e308 } }),
  () => ({ content: "a", unknown: { deep: [[[{}]]] }, exitflow: true }),
  () => JSON.parse('{"content":"a","__proto__":{"exitFlow":true},"constructor":1}') as unknown,
  () => ({ pending: true, auth: {} }),
  () => ({ pending: true, auth: { url: "https://consent.test/", scopes: ["read"] } }),
  () => ({ pending: true, ticket: undefined }),
  () => ({ pending: "true" }),
  () => ({ error: "no such thing" }),
  () => "x".repeat(2_000),
  () => undefined,
  () => Number.NaN,
  () => 12n,
  () => Symbol("answer"),
  () => () => "called",
  () => new Map([["content", "a"]]),
  () => new Date(0),
  () => ({
    content: "a",
    toolCalls: [
      {
        id: "d",
        function_name: "find",
        function_args: { when: new Date(0), nothing: undefined, number: Number.POSITIVE_INFINITY },
      },
    ],
  }),
  () => ({
    content: "a",
    toolCalls: [{ id: "d", function_name: "order", function_args: { big: 1n } }],
  }),
  () => ({
    content: "a",
    hitlRequest: { prompt: "may I?", actionDetails: { call: () => 1, big: 2n } },
  }),
  () => ({ when: new Date(0), nothing: undefined, number: Number.NaN }),
  () => ({ big: 3n }),
  () => circular(),
  () => ({ content: "a", hitlRequest: { prompt: "again?", actionDetails: circular() } }),
  () => ({
    get content(): string {
      throw new Error("do not look")
    },
  }),
  () =>
    new Proxy(
      {},
      {
        get: () => {
          throw new Error("do not look")
        },
        getOwnPropertyDescriptor: () => {
          throw new Error("do not look")
        },
      },
    ),
  () => ({
    toJSON: () => {
      throw new Error("not to be written")
    },
    content: "a",
  }),
  () => ({ toJSON: () => ({ content: "another" }), content: "a" }),
]

export const garbageKinds = kinds.length

export const garbage = (index: number): unknown => kinds[index % kinds.length]?.()

function circular(): unknown {
  const one: Record<string, unknown> = {}
  one["itself"] = one
  return one
}
