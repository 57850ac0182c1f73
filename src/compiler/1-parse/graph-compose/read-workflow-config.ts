import { workflowDefinition } from "../../agent-types/workflow.js"
import type { WorkflowConfig } from "../config/workflow-config.js"
import { describedTable } from "../fields/described-table.js"
import { sharedReaders } from "../fields/value-readers.js"
import type { FoundConfig } from "../workflow/find-config.js"
import { readDefinition } from "../workflow/read-definition.js"

/** Parses a workflow config of the graph-compose dialect. */
export const readWorkflowConfig = (found: FoundConfig): WorkflowConfig =>
  readDefinition(found, workflow)

const workflow = describedTable(workflowDefinition, "graph-compose", sharedReaders)
