import type { Dialect } from "../agent-types/dialects.js"
import { taskParts } from "../agent-types/task-graph.js"
import { taskNodes } from "../agent-types/task-nodes.js"
import type { SchemaObject } from "./object-schema.js"
import { cases, objectSchema } from "./object-schema.js"

/** Returns the JSON Schemas of Graph Compose nodes and of the objects that are nested in them. */
export const taskSchemas = (dialect: Dialect): SchemaObject => ({
  taskNode: cases(
    Object.entries(taskNodes).map(
      ([type, description]) =>
        [
          { properties: { type: { const: type } }, required: ["type"] },
          objectSchema(description, dialect),
        ] as const,
    ),
    false,
  ),
  ...Object.fromEntries(
    Object.entries(taskParts).map(([name, part]) => [name, objectSchema(part, dialect)]),
  ),
})
