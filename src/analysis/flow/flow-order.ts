import type { Atom } from "../../policies/atom.js"
import type { FlowStep } from "./flow-state.js"

/**
 * Returns the events that occur in a run in which the data takes this path, in order. Steps that
 * cause no event are left out, such as the step from a key into a template.
 */
export function occurrencesOf(path: readonly FlowStep[]): readonly Atom[] {
  const atoms: Atom[] = []
  for (const [index, step] of path.entries()) {
    const isSink = index === path.length - 1
    // A run starts with its source keys.
    if (isSink && index === 1 && step.kind === "key" && path[0]?.name === step.name) return []
    const atom = atomOf(step, isSink)
    const before = atoms.at(-1)
    if (atom === null) continue
    // An agent's input, instructions and conversation are sent in one model call.
    if (before !== undefined && isSame(before, atom)) {
      if (step.kind === "model") atoms.splice(-1, 1, { ...before, names: atom.names })
      continue
    }
    // A run can write the text of an agent before the agent has finished.
    if (atom.kind === "write" && before?.kind === "finish") atoms.pop()
    atoms.push(atom)
  }
  return atoms
}

const isSame = (before: Atom, atom: Atom): boolean =>
  before.kind === atom.kind &&
  (atom.kind === "model"
    ? atom.by === null || before.by?.join() === atom.by.join()
    : before.names.join() === atom.names.join())

function atomOf({ kind, name, agent }: FlowStep, isSink: boolean): Atom | null {
  const by = agent === null ? null : [agent]
  switch (kind) {
    case "result":
      return atom("result", name, by)
    case "text":
      return atom("finish", name, null)
    case "answer":
      return atom("answer", name, null)
    case "arguments":
    case "request":
      return atom("call", name, by)
    case "conversation":
    case "input":
    case "instructions":
      return atom("model", "*", [name])
    case "model":
      return atom("model", name, null)
    case "key":
      return isSink ? atom("write", name, null) : null
    default:
      return null
  }
}

const atom = (kind: Atom["kind"], name: string, by: readonly string[] | null): Atom => ({
  kind,
  names: [name],
  by,
  inside: null,
  except: [],
  approved: null,
  outcomes: ["done", "exited", "escalated", "handedOff"],
  equals: null,
})
