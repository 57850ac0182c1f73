import type { WorkflowConfig } from "../config/agent-config.js"
import { fieldTable } from "../fields/field-table.js"
import type { FoundConfig } from "../workflow/find-config.js"
import {
  definitionFields,
  definitionSynonyms,
  readDefinition,
} from "../workflow/read-definition.js"

/** Reads a workflow definition of the graph-compose dialect, whatever it was wrapped in. */
export const readWorkflowConfig = (found: FoundConfig): WorkflowConfig =>
  readDefinition(found, workflow)

const workflow = fieldTable("a workflow", definitionFields, { synonyms: definitionSynonyms })
