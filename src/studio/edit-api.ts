// The JSON about edits of workflows that the server and the page of the studio exchange.
import type { Diagnostic } from "../compiler/diagnostics/diagnostic.js"
import type { EditRefusal, TextEdit } from "../compiler/edit/contract/edit-command.js"

export type {
  EditCommand,
  EditRefusal,
  NodeEdge,
  Placement,
  TextEdit,
  WrapperType,
} from "../compiler/edit/contract/edit-command.js"
export type {
  AgentForm,
  AgentFormField,
  EditableAgent,
  EditableWorkflow,
} from "../compiler/edit/describe-agents.js"

/** The response to `POST /api/edit`, which applies an edit command to a workflow text. */
export type EditResult =
  | {
      readonly refused: null
      /** The text changes of the edit, sorted by offset. They do not overlap. */
      readonly edits: readonly TextEdit[]
      readonly text: string
      /** Name of the agent to select after the edit. Null if the edit removed the agent. */
      readonly agent: string | null
      /** The errors and warnings in the new text. */
      readonly diagnostics: readonly Diagnostic[]
      /** The errors that the text has after the edit, but did not have before it. */
      readonly newErrors: readonly Diagnostic[]
    }
  | { readonly refused: EditRefusal }
