/**
 * The fields of an actor's snapshot that inspectors show. The machine and the child actors of an
 * XState snapshot are omitted.
 */
export interface PlainSnapshot {
  readonly status: string
  readonly value?: unknown
  readonly tags?: readonly string[]
  readonly context?: unknown
  readonly input?: unknown
  readonly output?: unknown
  readonly error?: unknown
}

/**
 * Copies the fields of a snapshot that inspectors show. Accepts snapshots of XState actors and of
 * runs. Returns null if the actor has no snapshot yet.
 */
export function plainSnapshot(snapshot: unknown): PlainSnapshot | null {
  if (typeof snapshot !== "object" || snapshot === null || !("status" in snapshot)) return null
  const { status, value, tags, context, input, output, error } = snapshot as {
    readonly [Field in keyof PlainSnapshot]: unknown
  }
  const listed = tags === undefined ? {} : { tags: [...(tags as Iterable<string>)] }
  return { status: String(status), ...listed, ...present({ value, context, input, output, error }) }
}

const present = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
