import { bothDialects, inBothDialects, required } from "./common.js"
import type { FieldDescriptions, ObjectDescription } from "./field-description.js"

const idField = {
  id: {
    type: "nodeId",
    defaultText: "required",
    description: "The id of the node: letters, digits and `_`.",
    dialects: inBothDialects({
      synonyms: ["name"],
      ...required('Add an id, such as "id": "get_user".'),
    }),
  },
  type: {
    type: "unchecked",
    defaultText: "required",
    description: "The type of the node.",
    dialects: bothDialects,
  },
  strict: {
    type: "flag",
    default: false,
    description: "If true, the node fails when a template yields nothing.",
    dialects: bothDialects,
  },
} as const satisfies FieldDescriptions

const dependencies = {
  dependencies: {
    type: "dependencies",
    defaultText: "`[]`",
    description: "Ids of the nodes that must be settled before this node starts.",
    dialects: inBothDialects({ synonyms: ["dependsOn", "needs"] }),
  },
} as const satisfies FieldDescriptions

const activity = {
  activityConfig: {
    type: "nodeActivity",
    description: "[Timeouts and retries](#activityconfig) of the node.",
    dialects: bothDialects,
  },
} as const satisfies FieldDescriptions

const http = {
  http: {
    type: "nodeRequest",
    defaultText: "required",
    description: "The request: `method`, `url`, `headers` and `body`.",
    dialects: inBothDialects({
      synonyms: ["request", "httpConfig"],
      ...required('Add the request: "http": {"method": "GET", "url": "https://..."}.'),
    }),
  },
} as const satisfies FieldDescriptions

/** Describes the config fields of each node type of a Graph Compose graph, by type. */
export const taskNodes = {
  http: {
    name: "an http node",
    fields: {
      ...idField,
      ...dependencies,
      ...http,
      outputMapping: {
        type: "outputMapping",
        description:
          "An object of templates over `data`, `statusCode` and `headers` of the response. `data` of the result becomes the object of their values.",
        dialects: bothDialects,
      },
      validation: {
        type: "nodeValidation",
        description:
          "JSON schemas: `input` for the results of earlier nodes, `output` for `data` of the result.",
        dialects: bothDialects,
      },
      conditions: {
        type: "nodeConditions",
        description: "The conditions `continueTo`, `terminateWhen` and `pollUntil`.",
        dialects: bothDialects,
      },
      ...activity,
    },
  },
  adk: {
    name: "an adk node",
    fields: {
      ...idField,
      ...dependencies,
      config: {
        type: "adkConfig",
        defaultText: "required",
        description: "A [workflow](#workflow-fields) of agents.",
        dialects: inBothDialects(required('Add the workflow definition as "config" of the node.')),
      },
      ...activity,
    },
  },
  forEach: {
    name: "a forEach node",
    fields: {
      ...idField,
      ...dependencies,
      forEach: {
        type: "loopItems",
        defaultText: "required",
        description: 'The list of items: `{ "items": "{{ ... }}" }`.',
        dialects: inBothDialects(
          required('Add the items: "forEach": {"items": "{{ results.get_users.data }}"}.'),
        ),
      },
      config: {
        type: "loopConfig",
        description: "Concurrency and failures of the children.",
        dialects: bothDialects,
      },
    },
  },
  endForEach: {
    name: "an endForEach node",
    fields: {
      ...idField,
      ...dependencies,
      forEachId: {
        type: "reference",
        defaultText: "required",
        description: "The id of the forEach node.",
        dialects: inBothDialects(required("Add the id of the forEach node that ends here.")),
      },
    },
  },
  error_boundary: {
    name: "an error_boundary node",
    fields: {
      ...idField,
      protectedNodes: {
        type: "dependencies",
        defaultText: "required",
        description: "Ids of the nodes whose failures the boundary handles.",
        dialects: inBothDialects(
          required('Add the ids of the nodes: "protectedNodes": ["charge"].'),
        ),
      },
      ...http,
      ...activity,
    },
  },
  confirmation: {
    name: "a confirmation node",
    fields: { ...idField, ...dependencies, ...activity },
  },
  source_iterator: {
    name: "a source_iterator node",
    fields: { ...idField, ...dependencies, ...http, ...activity },
  },
  destination: {
    name: "a destination node",
    fields: {
      ...idField,
      ...dependencies,
      http: { ...http.http, type: "destinationRequest" },
      ...activity,
    },
  },
} as const satisfies Readonly<Record<string, ObjectDescription>>
