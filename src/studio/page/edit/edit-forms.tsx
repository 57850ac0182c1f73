import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"
import type { EditCommand, WrapperType } from "../../edit-api.js"
import { ErrorMessage } from "../parts/error-message.js"
import type { AgentInTree } from "./agent-tree.js"
import type { AddPosition } from "./edit-actions.js"

export interface EditFormProps {
  readonly agent: AgentInTree
  /**
   * Sends the edit command of the form to the server. Resolves to null, or to the reason why the
   * command was rejected.
   */
  readonly onSend: (command: EditCommand) => Promise<string | null>
  readonly onCancel: () => void
}

export const positions: Readonly<Record<AddPosition, string>> = {
  before: "Before",
  after: "After",
  inside: "Inside",
}

/** Help texts about the types of agents and nodes, shown in the form that adds them. */
const typeHelp: Readonly<Record<string, string>> = {
  LlmAgent: "Calls a model with an instruction and tools.",
  SequentialAgent: "Runs its agents one after the other.",
  ParallelAgent: "Runs its agents at the same time.",
  LoopAgent: "Repeats its agents until a condition is true.",
  HumanAgent: "Asks a person.",
  WorkflowAgent: "Calls another workflow.",
  RemoteA2AAgent: "Calls an agent on another server over A2A.",
  WaitAgent: "Waits for a duration or until a time.",
  CustomAgent: "Runs a host function.",
  http: "Calls a service over HTTP.",
  adk: "Runs a workflow of agents.",
  confirmation: "Asks a person to approve.",
  error_boundary: "Calls a service if the node before it fails.",
}

interface AddFormProps extends EditFormProps {
  /** The types of agents that the user can add. */
  readonly types: readonly string[]
  /** The types of nodes that the user can add to a Graph Compose graph. */
  readonly nodeTypes: readonly string[]
  readonly position: AddPosition
  readonly onPosition: (position: AddPosition) => void
  /**
   * Returns the reason why an agent cannot be added at a position. Returns null if it can be added.
   */
  readonly obstacleAt: (position: AddPosition) => string | null
}

/** Form that adds an agent before or after the selected agent, or inside it. */
export function AddForm({
  agent,
  types: agentTypes,
  nodeTypes,
  position,
  onPosition,
  obstacleAt,
  ...handlers
}: AddFormProps) {
  const graph = position === "inside" ? agent : agent.graph
  const types = graph?.type === "graph" ? nodeTypes : agentTypes
  const [wanted, setType] = useState("")
  const type = types.includes(wanted) ? wanted : (types[0] ?? "")
  const [name, setName] = useState("")
  const helpId = useId()
  const command: EditCommand = {
    kind: "addAgent",
    type,
    ...(name.trim() !== "" && { name: name.trim() }),
    placement:
      position === "inside"
        ? { into: agent.name }
        : position === "before"
          ? { before: agent.name }
          : { after: agent.name },
  }
  return (
    <EditForm label="Add an agent" submit="Add" command={command} {...handlers}>
      <Choice
        legend="Where"
        options={positions}
        value={position}
        isDisabled={(option) => obstacleAt(option) !== null}
        onChange={onPosition}
      />
      <label class="edit-type">
        Type
        <select
          value={type}
          aria-describedby={helpId}
          onChange={({ currentTarget }) => setType(currentTarget.value)}
        >
          {types.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <NameField name={name} onName={setName} placeholder="Automatic" />
      <p id={helpId} class="edit-help">
        {typeHelp[type]}
      </p>
    </EditForm>
  )
}

const containers: Readonly<Record<WrapperType, string>> = {
  SequentialAgent: "Sequence",
  ParallelAgent: "Parallel",
  LoopAgent: "Loop",
}

/** Form that wraps the selected agent, and optionally adjacent agents, in a new container. */
export function WrapForm({ agent, ...handlers }: EditFormProps) {
  const { siblings, name } = agent
  const position = siblings.indexOf(name)
  const [type, setType] = useState<WrapperType>("SequentialAgent")
  /** Indexes of the first and the last sibling to wrap. Only adjacent agents can be wrapped. */
  const [[first, last], setRange] = useState<readonly [number, number]>([position, position])
  const [newName, setNewName] = useState("")
  const command: EditCommand = {
    kind: "wrapAgents",
    names: siblings.slice(first, last + 1),
    type,
    ...(newName.trim() !== "" && { newName: newName.trim() }),
  }
  const wrapUpTo = (index: number, isWrapped: boolean): void => {
    const inner = isWrapped ? 0 : 1
    setRange(index < position ? [index + inner, last] : [first, index - inner])
  }
  return (
    <EditForm label={`Wrap ${name}`} submit="Wrap" command={command} {...handlers}>
      <Choice legend="In a" options={containers} value={type} onChange={setType} />
      <NameField name={newName} onName={setNewName} placeholder="Automatic" />
      {siblings.length > 1 && (
        <fieldset class="edit-others">
          <legend>Together with</legend>
          {siblings.map(
            (sibling, index) =>
              sibling !== name && (
                <label key={sibling} class="check">
                  <input
                    type="checkbox"
                    checked={first <= index && index <= last}
                    onChange={({ currentTarget }) => wrapUpTo(index, currentTarget.checked)}
                  />
                  {sibling}
                </label>
              ),
          )}
        </fieldset>
      )}
    </EditForm>
  )
}

/** Form that renames the selected agent and all references to it. */
export function RenameForm({ agent: { name }, ...handlers }: EditFormProps) {
  const [to, setTo] = useState(name)
  return (
    <EditForm
      label={`Rename ${name}`}
      submit="Rename"
      command={{ kind: "renameAgent", from: name, to: to.trim() }}
      {...handlers}
    >
      <NameField name={to} onName={setTo} isRequired />
    </EditForm>
  )
}

/** Form that sends one edit command. It gets the focus when it opens, and Escape closes it. */
export function EditForm({
  label,
  submit,
  command,
  onSend,
  onCancel,
  children,
}: Pick<EditFormProps, "onSend" | "onCancel"> & {
  readonly label: string
  readonly submit: string
  readonly command: EditCommand
  readonly children: ComponentChildren
}) {
  const form = useRef<HTMLFormElement>(null)
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  useEffect(() => {
    const name = form.current?.querySelector<HTMLInputElement>('input[name="name"]')
    name?.focus()
    name?.select()
  }, [])
  const send = async (event: Event): Promise<void> => {
    event.preventDefault()
    setSending(true)
    const refused = await onSend(command)
    // If the command succeeded, the form is closed.
    if (refused === null) return
    setError(refused)
    setSending(false)
  }
  return (
    <form
      ref={form}
      class="edit-form"
      aria-label={label}
      onSubmit={(event) => void send(event)}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        event.stopPropagation()
        onCancel()
      }}
    >
      {children}
      <div class="edit-submit">
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" class="main" disabled={isSending}>
          {submit}
        </button>
      </div>
      <ErrorMessage text={error} />
    </form>
  )
}

function NameField({
  name,
  onName,
  placeholder,
  isRequired = false,
}: {
  readonly name: string
  readonly onName: (name: string) => void
  readonly placeholder?: string
  readonly isRequired?: boolean
}) {
  return (
    <label class="edit-name">
      Name
      <input
        name="name"
        value={name}
        required={isRequired}
        spellcheck={false}
        autocomplete="off"
        {...(placeholder !== undefined && { placeholder })}
        onInput={({ currentTarget }) => onName(currentTarget.value)}
      />
    </label>
  )
}

/** Group of radio buttons with which the user selects one of several options. */
export function Choice<Option extends string>({
  legend,
  options,
  value,
  isDisabled = () => false,
  onChange,
}: {
  readonly legend: string
  readonly options: Readonly<Record<Option, string>>
  readonly value: Option
  readonly isDisabled?: (option: Option) => boolean
  readonly onChange: (option: Option) => void
}) {
  const group = useId()
  const entries = Object.entries(options) as [Option, string][]
  return (
    <fieldset class="edit-choice">
      <legend>{legend}</legend>
      {entries.map(([option, label]) => (
        <label key={option}>
          <input
            type="radio"
            name={group}
            checked={option === value}
            disabled={isDisabled(option)}
            onChange={() => onChange(option)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
