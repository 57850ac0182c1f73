import { agentCallbackFields, commonFields, required } from "./common.js"
import type { FieldDescriptions, ObjectDescription } from "./field-description.js"

/** The node name that represents the start of a graph in its edges. */
export const startName = "START"

/** Describes the config fields of a Workflow, which is a graph of nodes. */
export const workflowGraph = {
  name: "a Workflow",
  fields: {
    ...commonFields,
    edges: {
      type: "edges",
      defaultText: "required",
      description:
        "A list of edges in the forms below. The first edges start at `START` ([`broken_graph`](errors.md#broken_graph)).",
      dialects: {
        adk: {
          synonyms: ["graph"],
          ...required(
            `Add its edges, starting at ${startName}: [["${startName}", "writer", "reviewer"]].`,
          ),
        },
      },
    },
    nodes: {
      type: "inlineNodes",
      description:
        "Nodes that are defined inside the Workflow. All other nodes are agents in `agents`. A node of a graph cannot have another parent.",
      dialects: { adk: { aliases: ["subAgents"] } },
    },
    ...agentCallbackFields,
    maxIterations: {
      type: "count",
      defaultText: "`10`",
      description:
        "Maximum runs of each node. If a node would run more often, the run ends with status `limit`. In YAML, the field is also called `max_cycles`. With `triggering: each`, the default is `500`.",
      dialects: { adk: { aliases: ["maxCycles"], synonyms: ["max"] } },
    },
    triggering: {
      type: "choice",
      choices: ["joined", "each"],
      defaultText: '`"joined"`',
      description:
        '`"joined"`: a node waits for all edges that can still deliver an input. `"each"`: a node runs [once for each trigger](semantics.md#one-run-for-each-trigger), as in ADK 2. The class `Workflow` sets `"each"`.',
      extension: true,
      dialects: { adk: {} },
    },
    maxConcurrency: {
      type: "count",
      description: 'Maximum number of nodes that run at the same time. Needs `triggering: "each"`.',
      dialects: { adk: {} },
    },
    nodeOptions: {
      type: "nodeOptions",
      description:
        'The [options](#options-of-nodes) of each node, by node name. Needs `triggering: "each"`.',
      extension: true,
      dialects: { adk: {} },
    },
  },
  strictIn: ["adk"],
} as const satisfies ObjectDescription

const codeNodeFields = {
  routes: {
    type: "routes",
    description: "The routes that the node can choose. Each route must have an edge.",
    dialects: { adk: {} },
  },
} as const satisfies FieldDescriptions

const serviceSpelling = { aliases: ["funcCode"], synonyms: ["function", "code"] } as const

export const functionNode = {
  name: "a FunctionNode",
  fields: {
    ...commonFields,
    service: {
      type: "nodeService",
      defaultText: "the name of the node",
      description: "Name of the host function that the node calls.",
      dialects: { adk: serviceSpelling },
    },
    ...codeNodeFields,
  },
  strictIn: ["adk"],
} as const satisfies ObjectDescription

export const routerNode = {
  name: "a RouterNode",
  fields: {
    ...commonFields,
    service: {
      type: "routerService",
      defaultText: "the name of the node",
      description: "Name of the host function that chooses the route.",
      dialects: { adk: serviceSpelling },
    },
    ...codeNodeFields,
  },
  strictIn: ["adk"],
} as const satisfies ObjectDescription

export const joinNode = {
  name: "a JoinNode",
  fields: commonFields,
  strictIn: ["adk"],
} as const satisfies ObjectDescription

export const toolNode = {
  name: "a ToolNode",
  fields: {
    ...commonFields,
    tool: {
      type: "reference",
      defaultText: "required without `toolCode`",
      description: "Id of the FunctionTool that the node calls.",
      dialects: {
        adk: required('Add the id of the tool that the node runs, such as "tool": "search".', {
          unless: "toolCode",
        }),
      },
    },
    toolCode: {
      type: "toolService",
      description: "Name of the host function that the node calls.",
      dialects: { adk: { aliases: ["service"], synonyms: ["code", "function"] } },
    },
  },
  strictIn: ["adk"],
} as const satisfies ObjectDescription
