import { bothDialects, expiryFields, inBothDialects, required } from "./common.js"
import type { FieldDescriptions, ObjectDescription } from "./field-description.js"

const commonFields = {
  type: { type: "unchecked", description: "The type of the tool.", dialects: bothDialects },
  id: {
    type: "toolId",
    defaultText: "required",
    description: "The id of the tool.",
    dialects: {
      "graph-compose": {
        synonyms: ["name"],
        ...required('Add an id, such as "id": "search".'),
      },
      adk: { aliases: ["name"], ...required('Add an id, such as "id": "search".') },
    },
  },
} as const satisfies FieldDescriptions

const callFields = {
  outputKey: {
    type: "outputKey",
    description:
      "[State key](#output-keys) in which the result is saved: the whole response of an HttpTool, or the text of the target of an AgentTool.",
    dialects: bothDialects,
  },
  activity: {
    type: "activityConfig",
    defaultText: "one attempt",
    description: "[Timeouts and retries](#activityconfig) of the calls.",
    dialects: inBothDialects({ name: "activityConfig", synonyms: ["timeout"] }),
  },
} as const satisfies FieldDescriptions

const toolExpiry = {
  expiresInMs: {
    ...expiryFields.expiresInMs,
    description:
      "A [duration](#durations) after which a long-running call, a consent request or a confirmation request [expires](#requests-that-expire).",
  },
  onExpiry: {
    ...expiryFields.onExpiry,
    defaultText: '`"reject"`',
    description:
      'What happens when the request expires: `"reject"` or `"fail"`. `"continue"` means the same as `"reject"`.',
  },
} as const satisfies FieldDescriptions

/**
 * The config fields that set when requests expire. They are for tools that do not have these fields
 * in the graph-compose dialect.
 */
const adkExpiry = {
  expiresInMs: { ...toolExpiry.expiresInMs, dialects: { adk: { name: "expiresIn" } } },
  onExpiry: { ...toolExpiry.onExpiry, dialects: { adk: {} } },
} as const satisfies FieldDescriptions

const requireConfirmation = {
  type: "flag",
  default: false,
  description: "Whether a person must approve each call.",
  dialects: { adk: { synonyms: ["confirm"] } },
} as const

const functionFields = {
  description: {
    type: "text",
    defaultText: "its id",
    description: "The description of the tool that models receive.",
    dialects: bothDialects,
  },
  parameters: {
    type: "data",
    defaultText: "an empty object schema",
    description: "JSON schema of the arguments.",
    dialects: inBothDialects({ synonyms: ["inputSchema", "schema"] }),
  },
} as const satisfies FieldDescriptions

const service = {
  type: "filledText",
  defaultText: "its id",
  description: "Name of the host function.",
  dialects: { adk: { synonyms: ["function", "code"] } },
} as const

export const httpTool = {
  name: "an HttpTool",
  fields: {
    ...commonFields,
    ...callFields,
    endpoint: {
      type: "httpConfig",
      defaultText: "required",
      description: "[URL and method](#httpconfig) of the tool.",
      dialects: inBothDialects({
        name: "httpConfig",
        synonyms: ["http"],
        ...required('Add {"url": "https://...", "method": "POST"}.', {
          because: "the tool has no endpoint",
        }),
      }),
    },
    ...functionFields,
    ...toolExpiry,
    requireConfirmation,
  },
} as const satisfies ObjectDescription

export const openApiToolset = {
  name: "an OpenAPIToolset",
  fields: {
    type: commonFields.type,
    id: commonFields.id,
    document: {
      type: "openApiDocument",
      defaultText: "required",
      description:
        "The OpenAPI 3.0 or 3.1 document: the path of a JSON or YAML file, relative to the config, or the document as an object.",
      dialects: {
        "graph-compose": {
          synonyms: ["spec", "file", "url", "openapi"],
          ...required('Add the path of the document, such as "document": "petstore.yaml".'),
        },
        adk: {
          aliases: ["specDict"],
          synonyms: ["spec", "specStr", "file", "url", "openapi"],
          ...required('Add the path of the document, such as "document": "petstore.yaml".'),
        },
      },
    },
    operations: {
      type: "toolNames",
      defaultText: "all",
      description:
        "The operations that become tools: operation ids, or methods and paths such as `GET /pets/{petId}`.",
      dialects: {
        "graph-compose": { synonyms: ["operationIds", "toolFilter", "tools"] },
        adk: { aliases: ["toolFilter"], synonyms: ["operationIds", "tools", "filter"] },
      },
    },
    tags: {
      type: "toolNames",
      defaultText: "all",
      description: "Only operations with at least one of these tags become tools.",
      dialects: bothDialects,
    },
    baseUrl: {
      type: "url",
      defaultText: "the first server of the document",
      description:
        "The URL before the paths of the operations. The URL can contain [templates](#httpconfig).",
      dialects: inBothDialects({ synonyms: ["server", "serverUrl", "baseURL"] }),
    },
    auth: {
      type: "openApiAuth",
      description:
        'The credential for each security scheme of the document, by name: a key or token, or `{"username", "password"}` for HTTP basic authentication. Use templates for secrets: `"{{ $secret(\'API_KEY\') }}"`.',
      dialects: inBothDialects({ synonyms: ["credentials", "security", "authCredential"] }),
    },
    prefix: {
      type: "toolId",
      description: "Models see the tools as `prefix_name`.",
      dialects: {
        "graph-compose": { synonyms: ["toolNamePrefix"] },
        adk: { aliases: ["toolNamePrefix"] },
      },
    },
    activity: {
      ...callFields.activity,
      description: "[Timeouts and retries](#activityconfig) of each call.",
    },
    ...toolExpiry,
    requireConfirmation,
  },
} as const satisfies ObjectDescription

export const agentTool = {
  name: "an AgentTool",
  fields: {
    ...commonFields,
    ...callFields,
    target: {
      type: "reference",
      defaultText: "required",
      description:
        "The agent that the tool runs. The agent works on a copy of the state and has its own conversation.",
      dialects: inBothDialects({
        name: "targetAgentId",
        synonyms: ["agentId", "agent_id", "agent", "target"],
        ...required("Add the id of the agent that the tool runs."),
      }),
    },
    skipSummarization: {
      type: "flag",
      default: false,
      description:
        "If `true`, the final text of the called agent becomes the final text of the calling agent.",
      dialects: bothDialects,
    },
    ...adkExpiry,
  },
} as const satisfies ObjectDescription

export const functionTool = {
  name: "a FunctionTool",
  fields: {
    ...commonFields,
    service,
    ...functionFields,
    requireConfirmation,
    ...adkExpiry,
  },
} as const satisfies ObjectDescription

export const toolset = {
  name: "a Toolset",
  fields: {
    ...commonFields,
    id: {
      ...commonFields.id,
      dialects: { adk: { aliases: ["name"], ...required('Add an id, such as "id": "files".') } },
    },
    service,
    toolFilter: {
      type: "toolNames",
      defaultText: "all",
      description: "Names of the tools that agents can use.",
      dialects: { adk: { synonyms: ["tools", "filter"] } },
    },
    pageTools: {
      type: "flag",
      default: false,
      description:
        "Whether the tools are those that a web page offers when it starts the run over [AG-UI](serving.md#page-tools). The page executes their calls.",
      dialects: { adk: { synonyms: ["page", "frontendTools", "clientTools"] } },
    },
    prefix: {
      type: "filledText",
      description: "Models see the tools as `prefix_name`.",
      dialects: { adk: { aliases: ["toolNamePrefix"] } },
    },
    requireConfirmation,
    ...adkExpiry,
  },
} as const satisfies ObjectDescription
