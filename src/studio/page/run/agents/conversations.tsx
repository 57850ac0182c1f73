import { useState } from "preact/hooks"
import type { AgentTurn, TurnGroup } from "../../../api.js"
import { useJson } from "../../client/use-json.js"
import { ErrorMessage } from "../../parts/error-message.js"
import { ModelMessages } from "../details/model-messages.js"

interface ConversationsProps {
  readonly runId: string
  /** Number of journal records before the selected position in the run. */
  readonly position: number
  readonly groups: readonly TurnGroup[]
}

/**
 * Maximum number of conversations that are shown at once. If there are more, each group of
 * conversations shows only one conversation, which the user selects.
 */
const maxUnfolded = 10

/**
 * Component that shows the conversations of agents with their models. Only visible conversations
 * are loaded from the server.
 */
export function Conversations({ runId, position, groups }: ConversationsProps) {
  const isFolded = groups.reduce((sum, { count }) => sum + count, 0) > maxUnfolded
  return (
    <>
      {groups.map((group) =>
        isFolded ? (
          <FoldedConversations key={group.path} runId={runId} position={position} group={group} />
        ) : (
          Array.from({ length: group.count }, (_, index) => (
            <Conversation
              key={`${group.path} ${index}`}
              runId={runId}
              position={position}
              group={group.path}
              index={index}
            />
          ))
        ),
      )}
    </>
  )
}

interface FoldedConversationsProps {
  readonly runId: string
  readonly position: number
  readonly group: TurnGroup
}

/**
 * Component for many conversations of an agent. It shows one of them, which the user selects by its
 * number.
 */
function FoldedConversations({ runId, position, group }: FoldedConversationsProps) {
  const { path, count, active } = group
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState(0)
  return (
    <details class="folded" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {path}: {count} {count === 1 ? "conversation" : "conversations"}
        {active > 0 && `, ${active} active`}
      </summary>
      {isOpen && count > 1 && (
        <label>
          Conversation{" "}
          <input
            type="number"
            min={1}
            max={count}
            value={chosen + 1}
            onInput={({ currentTarget }) => {
              const number = currentTarget.valueAsNumber
              if (number >= 1 && number <= count) setChosen(Math.floor(number) - 1)
            }}
          />{" "}
          of {count}
        </label>
      )}
      {isOpen && (
        <Conversation
          runId={runId}
          position={position}
          group={path}
          index={Math.min(chosen, count - 1)}
        />
      )}
    </details>
  )
}

interface ConversationProps {
  readonly runId: string
  readonly position: number
  /**
   * Path of the agent with `[*]` in place of each index, for example `flow/block[*]/clerk`. It
   * identifies a group of turns.
   */
  readonly group: string
  /** Index of the turn among all turns with the path `group`, starting at 0. */
  readonly index: number
}

function Conversation({ runId, position, group, index }: ConversationProps) {
  const query = new URLSearchParams({ at: String(position), group, index: String(index) })
  const { value: turn, error } = useJson<AgentTurn>(
    `/runs/${encodeURIComponent(runId)}/turn?${query}`,
  )
  if (turn === null) return <ErrorMessage text={error} />
  return (
    <section class="conversation" aria-label={`Conversation of ${turn.path}`}>
      <h3>
        {turn.path} {turn.isActive && <small>active</small>}
      </h3>
      <ErrorMessage text={error} />
      <ModelMessages messages={turn.conversation} />
    </section>
  )
}
