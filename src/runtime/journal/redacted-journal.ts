import { AgentStatechartsError, thrownMessage } from "../../errors.js"
import type {
  Journal,
  JournalHeader,
  JournalRecord,
  JournalRedaction,
  StoredRun,
  StoredRunStatus,
} from "./journal.js"
import { isOutside } from "./journal.js"

/**
 * Returns a journal that changes data before it is stored, for example to mask personal data. It
 * works with every journal. Runs process the changed data, so a resumed run makes the same calls.
 * Therefore, data that later calls need must not be removed (docs/retention.md#redact-data).
 *
 * The functions of `redaction` must be idempotent. If a function is called with its own result, it
 * must return the same result.
 *
 * @example
 * const mask = (value) => JSON.parse(JSON.stringify(value).replaceAll(/\b\d{16}\b/g, "****"))
 * const journal = redactedJournal(sqliteJournal("runs.sqlite"), { record: mask, input: mask })
 */
export function redactedJournal<Stored extends Journal>(
  journal: Stored,
  redaction: JournalRedaction,
): Stored {
  return {
    ...journal,
    redaction,
    create: (header: JournalHeader) => journal.create(redactedHeader(redaction, header)),
    append: (runId: string, record: JournalRecord) =>
      journal.append(runId, redactedRecord(redaction, record, runId)),
    ...(journal.store !== undefined && {
      store: ({ header, records }: StoredRun, status: StoredRunStatus) =>
        journal.store?.(
          {
            header: redactedHeader(redaction, header),
            records: records.map((record) => redactedRecord(redaction, record, header.runId)),
          },
          status,
        ),
    }),
  }
}

/** Values that were already redacted. They are not redacted again. */
const done = new WeakSet<object>()

/** Applies the redaction to a record of the run `runId`. Returns the record to store. */
export function redactedRecord(
  redaction: JournalRedaction,
  record: JournalRecord,
  runId: string,
): JournalRecord {
  if (redaction.record === undefined || done.has(record)) return record
  const redacted = calling("a record", runId, () => redaction.record?.(record, runId))
  if (!Array.isArray(redacted) || fixedPart(redacted) !== fixedPart(record))
    throw failed(
      "a record",
      runId,
      "it may change only the value of a result or the content of an event",
    )
  done.add(redacted)
  return redacted
}

/**
 * Applies the redaction to the input of a new run. Returns the header to store. The content of a
 * session in the header was already redacted when it was created.
 */
export function redactedHeader(redaction: JournalRedaction, header: JournalHeader): JournalHeader {
  if (redaction.input === undefined || done.has(header)) return header
  const input = calling("the input", header.runId, () =>
    redaction.input?.(header.input, header.runId),
  )
  if (typeof input !== "object" || input === null || typeof input.state !== "object")
    throw failed("the input", header.runId, "it must return an object with the field state")
  const redacted = { ...header, input }
  done.add(redacted)
  return redacted
}

/**
 * Returns the part of a record that a redaction must not change, as JSON text for a comparison. It
 * identifies the call or the event.
 */
function fixedPart(record: JournalRecord): string {
  if (!isOutside(record)) return JSON.stringify([record[0], record[1], record[3]])
  const [number, path, event, at] = record
  const { id, callId } = event as { readonly id?: unknown; readonly callId?: unknown }
  return JSON.stringify([number, path, event.type, id, callId, at])
}

function calling<Value>(what: string, runId: string, act: () => Value | undefined): Value {
  let value: Value | undefined
  try {
    value = act()
  } catch (cause) {
    throw failed(what, runId, thrownMessage(cause), cause)
  }
  if (value === undefined) throw failed(what, runId, "it returned nothing")
  return value
}

const failed = (
  what: string,
  runId: string,
  reason: string,
  cause?: unknown,
): AgentStatechartsError =>
  new AgentStatechartsError(
    "journal_failed",
    `the redaction of ${what} of run "${runId}" failed, so it was not stored: ${reason}`,
    { cause },
  )
