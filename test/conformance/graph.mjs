import { differences, isInOrder } from "./matchers.mjs"

/** Whether a vector runs a whole graph, and not one adk node of it. */
export const isGraph = ({ config: { nodes } = {}, options }) =>
  Array.isArray(nodes) && !options?.node && !(nodes.length === 1 && nodes[0].type === "adk")

/** Returns the id under which the scripted service receives the posts to the webhook. */
export const webhookOf = ({ config }) =>
  (config?.webhookUrl ?? config?.webhook_url)?.split("/").at(-1) || undefined

/**
 * Returns the responses of models, tools, nodes and the webhook. After its scripted responses, the webhook responds with 200.
 * Responses with a delay above `maxElapsedMs` are never sent, so a run that waits for one never becomes idle on any machine.
 */
export const scenarioOf = (vector) => ({
  llm: inTime(vector, vector.llm),
  tools: inTime(vector, vector.tools),
  http: {
    ...inTime(vector, vector.http),
    ...(webhookOf(vector) && {
      [webhookOf(vector)]: [...(vector.webhook ?? []), { json: {}, repeat: true }],
    }),
  },
})

/** The longest delay that a scenario accepts, in milliseconds. A vector fails earlier. */
const never = 600_000
const inTime = ({ expect: { maxElapsedMs = Infinity } = {} }, responses = {}) =>
  Object.fromEntries(
    Object.entries(responses).map(([name, all]) => [
      name,
      all.map((one) => (one.delayMs > maxElapsedMs ? { ...one, delayMs: never } : one)),
    ]),
  )

const show = (value) => JSON.stringify(value)
const unless = (fits, at, wanted, came) =>
  fits ? [] : [`${at}: expected ${show(wanted)}, came ${show(came)}`]
const callsOf = ({ requests, webhook }) =>
  requests.filter(({ kind, id }) => kind === "http" && id !== webhook)

function requestsDiffer(expected, record, at, binds) {
  return expected.flatMap(({ node, nth = 0, for: words, ...fields }) => {
    const called = callsOf(record).filter(
      ({ id, url, body }) =>
        id === node && (!words || url.includes(words) || show(body ?? "").includes(words)),
    )
    const [name, request] = [`${at} ${node}#${words ?? nth}`, called[nth]]
    if (!request) return [`${name} was never made`]
    return Object.entries(fields).flatMap(([field, wanted]) => {
      if (!["url", "method", "headers", "query", "body"].includes(field))
        return [`${name}: the harness does not know ${field}`]
      const subset = field !== "url" && field !== "method"
      const came = field === "body" ? (request.body ?? undefined) : request[field]
      return differences(wanted, came, `${name} ${field}`, { subset, binds })
    })
  })
}

const parts = { data: false, statusCode: false, _rawData: false, headers: true, error: true }

function resultsDiffer(expected, { state }, at, binds) {
  return Object.entries(expected).flatMap(([node, wanted]) => {
    const came = state.results?.[node]
    if (wanted === "$absent") return unless(came === undefined, `${at}.${node}`, wanted, came)
    if (came === undefined) return [`${at}.${node} is missing`]
    return Object.entries(wanted).flatMap(([part, value]) =>
      part in parts
        ? differences(value, came[part], `${at}.${node}.${part}`, { subset: parts[part], binds })
        : [`${at}.${node}: the harness does not know ${part}`],
    )
  })
}

const inOrder = (wanted, came, at) =>
  unless(isInOrder(Array.isArray(wanted) ? wanted : [wanted], came), at, wanted, came)

/** The fields of `expect` for graphs, as in compare.mjs. */
export const graphExpectations = {
  httpCalls: (wanted, record, at) =>
    inOrder(
      wanted,
      callsOf(record).map(({ id }) => id),
      at,
    ),
  httpRequests: requestsDiffer,
  maxConcurrentHttpCalls: ({ atLeast = 0, atMost = Infinity }, { httpAtOnce }, at) =>
    unless(httpAtOnce >= atLeast && httpAtOnce <= atMost, at, [atLeast, atMost], httpAtOnce),
  results: resultsDiffer,
  nodes: (wanted, { state }, at, binds) =>
    differences(wanted, state.nodes ?? {}, at, { subset: true, binds }),
  executed: (wanted, { state }, at) => inOrder(wanted, state.executed ?? [], at),
  webhooks: (wanted, { requests, webhook }, at, binds) => {
    const posts = requests.filter(({ kind, id }) => kind === "http" && id === webhook)
    return [
      ...unless(
        posts.length === wanted.length,
        `${at}, number of posts`,
        wanted.length,
        posts.map(({ body }) => body),
      ),
      ...wanted.flatMap((body, index) =>
        differences(body, posts[index]?.body, `${at}[${index}]`, { subset: true, binds }),
      ),
    ]
  },
}
