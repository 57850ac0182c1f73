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

/** The response to `POST /api/edit`. */
export type EditResult =
  | {
      readonly refused: null
      /** The edits of the text, sorted by offset. They do not overlap. */
      readonly edits: readonly TextEdit[]
      readonly text: string
      /** The agent to select after the edit; null if the edit removed the agent. */
      readonly agent: string | null
      /** The errors and warnings of the new text. */
      readonly diagnostics: readonly Diagnostic[]
      /** The errors that the text has after the edit, but did not have before it. */
      readonly newErrors: readonly Diagnostic[]
    }
  | { readonly refused: EditRefusal }
