import { isUtf8 } from "node:buffer"
import { AgentStatechartsError } from "../../../errors.js"
import { isJsonObject } from "../../../machines/json-object.js"
import { thisPackage } from "../../package-folder.js"
import type {
  JournalHeader,
  JournalRecord,
  RunStanding,
  StoredRun,
} from "../../../runtime/journal.js"

/** What a file holds: a header, then records; in between, as objects, how the run stood when it rested. */
export interface JournalLines extends StoredRun {
  /** The last line, if it tells how the run stands. */
  readonly standing: RunStanding | null
  /** Bytes up to the end of the last whole line. */
  readonly size: number
  /** Bytes after it: what a crash has torn off. */
  readonly torn: number
}

/** The small things come first, for people who look into the file, and for lists, which read no further. */
export function headerLine({ format, runId, at, input, chart, ...more }: JournalHeader): string {
  return `${JSON.stringify({ format, writer: `agent-statecharts ${thisPackage().version}`, runId, at, fingerprint: chart.fingerprint, chartId: chart.id, ...more, input, chart })}\n`
}

export const recordLine = (record: JournalRecord): string => `${JSON.stringify(record)}\n`

export const standingLine = (standing: RunStanding): string => `${JSON.stringify({ standing })}\n`

/**
 * Reads a whole file; null for one whose header was never written to its end.
 *
 * @throws AgentStatechartsError `journal_corrupt` where something that is no record stands before one.
 */
export function readLines(bytes: Buffer, file: string): JournalLines | null {
  const isText = isUtf8(bytes)
  const records: JournalRecord[] = []
  let [header, standing]: [JournalHeader | null, RunStanding | null] = [null, null]
  let [start, size, line] = [0, 0, 0]
  let wrong: number | null = null
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    line++
    const value = isText
      ? parsed(bytes.toString("utf8", start, end))
      : readLine(bytes.subarray(start, end))
    start = end + 1
    if (!(line === 1 ? isHeader(value) : isRecord(value) || isStanding(value))) {
      wrong ??= line
      continue
    }
    if (wrong !== null)
      throw corrupt(
        `line ${wrong} of ${file} is no ${wrong === 1 ? "header" : "record"}, and others follow it`,
      )
    size = start
    if (isRecord(value)) {
      records.push(value)
      standing = null
    } else if (isStanding(value)) standing = value.standing
    else header = headerOf(value as WrittenHeader, file)
  }
  return header === null ? null : { header, records, standing, size, torn: bytes.length - size }
}

export interface WrittenHeader extends JournalHeader {
  readonly writer: string
  readonly fingerprint: string
  readonly chartId?: string
}

const newline = 10

/** The value of one line; undefined for what is no JSON. */
export const readLine = (line: Buffer): unknown =>
  isUtf8(line) ? parsed(line.toString("utf8")) : undefined

export const corrupt = (message: string): AgentStatechartsError =>
  new AgentStatechartsError("journal_corrupt", message)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

export const isHeader = (value: unknown): boolean =>
  isJsonObject(value) && typeof value["format"] === "number" && typeof value["runId"] === "string"

export const isStanding = (value: unknown): value is { readonly standing: RunStanding } =>
  isJsonObject(value) && isJsonObject(value["standing"])

export function isRecord(value: unknown): value is JournalRecord {
  if (!Array.isArray(value) || value.length !== 4) return false
  const [n, second, third, at] = value as readonly unknown[]
  if (!Number.isInteger(n) || typeof at !== "number") return false
  return n === -1
    ? typeof second === "string" && isJsonObject(third)
    : (n as number) >= 0 && typeof second === "boolean"
}

export function checkFormat(format: number, file: string): void {
  if (format !== 1)
    throw corrupt(
      `${file} is of format ${format}, and this version reads 1; resume the run with the version that wrote it`,
    )
}

/** The header as it was given. */
export function headerOf(
  { writer: _writer, fingerprint: _fingerprint, chartId: _chartId, ...header }: WrittenHeader,
  file: string,
): JournalHeader {
  const { format, chart, input, at } = header
  checkFormat(format, file)
  if (!isJsonObject(chart) || !isJsonObject(input) || typeof at !== "number")
    throw corrupt(`line 1 of ${file} is no whole header: chart, input or time is missing`)
  return header
}
