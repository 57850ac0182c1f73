import * as fc from "fast-check"
import type { Tale } from "./arbitrary-scene.js"
import { tale } from "./arbitrary-scene.js"

type Fields = Readonly<Record<string, unknown>>

/** One node of a random graph, with the nodes that belong to it. */
interface RandomNode {
  readonly kind: "http" | "http" | "adk" | "forEach" | "confirmation" | "destination"
  readonly dependencies: readonly number[]
  readonly activity: Fields
  readonly body: "http" | "adk" | "confirmation" | "forEach"
  readonly loop: Fields
  readonly isProtected: boolean
  readonly polls: boolean
  readonly maps: boolean
  readonly ends: boolean
  readonly chooses: boolean
}

const activities = fc.constantFrom<Fields>(
  {},
  {},
  { activityConfig: { retryPolicy: { maximumAttempts: 3, initialInterval: 100 } } },
  {
    activityConfig: {
      startToCloseTimeout: 400,
      retryPolicy: { maximumAttempts: 2, initialInterval: 50, backoffCoefficient: 3 },
    },
  },
  { activityConfig: { scheduleToCloseTimeout: 700 } },
)

const loops = fc.constantFrom<Fields>(
  {},
  { concurrency: 1 },
  { concurrency: 2, continueOnError: true },
  { continueOnError: true, maxFailures: 1 },
  { childWorkflowConfig: { workflowExecutionTimeout: 600 }, continueOnError: true },
  { childWorkflowConfig: { retry: { maximumAttempts: 2, initialInterval: 100 } } },
)

const randomNode: fc.Arbitrary<RandomNode> = fc.record({
  kind: fc.constantFrom("http", "http", "adk", "forEach", "confirmation", "destination"),
  dependencies: fc.array(fc.nat(20), { maxLength: 3 }),
  activity: activities,
  body: fc.constantFrom("http", "http", "adk", "confirmation", "forEach"),
  loop: loops,
  isProtected: fc.constantFrom(true, true, false),
  polls: fc.constantFrom(false, false, false, true),
  maps: fc.boolean(),
  ends: fc.constantFrom(false, false, false, false, true),
  chooses: fc.constantFrom(false, false, true),
})

const request = (id: string, body?: unknown): Fields => ({
  method: "POST",
  url: `http://graph.test/${id}`,
  ...(body === undefined ? {} : { body }),
})

const http = (id: string, dependencies: readonly string[], more: Fields = {}): Fields => ({
  id,
  type: "http",
  dependencies,
  http: request(id, { from: "{{ row.index }}" }),
  ...more,
})

/** A graph with random nodes around the workflow of a tale, which its adk nodes run. */
export const graphTale: fc.Arbitrary<Tale> = fc
  .record({
    inner: tale("graph-compose"),
    nodes: fc.array(randomNode, { minLength: 2, maxLength: 7 }),
    source: fc.constantFrom(false, false, false, true),
    webhook: fc.boolean(),
    timeout: fc.constantFrom({}, {}, { workflowConfig: { workflowExecutionTimeout: 1_500 } }),
    seed: fc.nat(),
  })
  .map(({ inner, nodes, source, webhook, timeout, seed }) => ({
    ...inner,
    dialect: "graph-compose",
    config: {
      nodes: [...nodesOf(nodes, inner.config), ...(source ? sourceNodes(inner.config) : [])],
      context: { items: [1, 2, 3] },
      ...(webhook && { webhookUrl: "http://graph.test/webhook" }),
      ...timeout,
    },
    scene: { ...inner.scene, repertoire: { ...inner.scene.repertoire, seed }, talks: 0 },
  }))

function nodesOf(nodes: readonly RandomNode[], config: Fields): readonly Fields[] {
  const ends = nodes.map(({ kind }, index) => (kind === "forEach" ? `e${index}` : `t${index}`))
  const needs = nodes.map(({ dependencies }, index) =>
    index === 0 ? [] : [...new Set(dependencies.map((one) => ends[one % index] ?? "t0"))],
  )
  return nodes.flatMap((node, index) => {
    const id = `t${index}`
    const dependencies = needs[index] ?? []
    const next = needs.findIndex((all) => all.includes(id))
    const boundary = {
      id: `b${index}`,
      type: "error_boundary",
      protectedNodes: [id],
      http: request(`b${index}`),
    }
    return [
      ...nodeOf(id, node, dependencies, next, config),
      ...(node.isProtected ? [boundary] : []),
    ]
  })
}

function nodeOf(
  id: string,
  node: RandomNode,
  dependencies: readonly string[],
  next: number,
  config: Fields,
): readonly Fields[] {
  const { kind, activity, body, loop, polls, maps, ends, chooses } = node
  switch (kind) {
    case "adk":
      return [{ id, type: "adk", dependencies, config }]
    case "confirmation":
      return [{ id, type: "confirmation", dependencies, ...expiring(activity) }]
    case "destination":
      return [
        {
          id,
          type: "destination",
          dependencies,
          http: request(id, { sheetId: "s", cellValues: [{ columnName: "A", value: "{{ 1 }}" }] }),
          ...activity,
        },
      ]
    case "forEach": {
      const end = `e${id.slice(1)}`
      const inside = bodyOf(`x${id.slice(1)}`, id, body, config, activity)
      return [
        {
          id,
          type: "forEach",
          dependencies,
          forEach: { items: "{{ context.items }}" },
          config: loop,
        },
        ...inside.nodes,
        { id: end, type: "endForEach", forEachId: id, dependencies: [inside.last] },
      ]
    }
    case "http":
      return [
        http(id, dependencies, {
          ...activity,
          ...(maps && {
            outputMapping: { mapped: "{{ data.n }}" },
            validation: { output: { type: "object" } },
          }),
          conditions: {
            ...(polls && { pollUntil: ["{{ data.ready = true }}"] }),
            ...(ends && { terminateWhen: ["{{ data.over = true }}"] }),
            ...(chooses &&
              next > 0 && { continueTo: [{ to: `t${next}`, when: "{{ data.chosen = true }}" }] }),
          },
        }),
      ]
  }
}

/** A confirmation has a timeout and no retries. */
const expiring = ({ activityConfig = {} }: Fields): Fields =>
  "scheduleToCloseTimeout" in (activityConfig as Fields)
    ? { activityConfig: { scheduleToCloseTimeout: 700 } }
    : {}

function bodyOf(
  id: string,
  loop: string,
  kind: RandomNode["body"],
  config: Fields,
  activity: Fields,
): { readonly nodes: readonly Fields[]; readonly last: string } {
  const first = http(id, [loop], activity)
  const last = `${id}z`
  switch (kind) {
    case "http":
      return { nodes: [first], last: id }
    case "adk":
      return { nodes: [first, { id: last, type: "adk", dependencies: [id], config }], last }
    case "confirmation":
      return {
        nodes: [
          first,
          { id: last, type: "confirmation", dependencies: [id], ...expiring(activity) },
        ],
        last,
      }
    case "forEach":
      return {
        nodes: [
          { id, type: "forEach", dependencies: [loop], forEach: { items: "{{ [1, 2] }}" } },
          http(`${id}y`, [id]),
          { id: last, type: "endForEach", forEachId: id, dependencies: [`${id}y`] },
        ],
        last,
      }
  }
}

const sourceNodes = (config: Fields): readonly Fields[] => [
  { id: "rows", type: "source_iterator", http: request("rows") },
  { id: "each", type: "adk", dependencies: ["rows"], config },
]
