import { crc32 } from "node:zlib"
import { isJsonObject } from "../../../machines/data/json-object.js"
import type {
  JournalHeader,
  JournalRecord,
  RunSummary,
  StoredRunStatus,
  StoredRun,
} from "../../../runtime/journal/journal.js"
import { thisPackage } from "../../package-folder.js"
import { checkFingerprint } from "../check-fingerprint.js"
import type { ChainChecksum, Checksum } from "../checksums.js"
import { addChecksum, checksumOf, corrupt, hexOf, isIntact, valueOf } from "../checksums.js"
import { isRecord } from "../is-record.js"

/**
 * The parsed content of a journal file, which stores one run. The first line of the file is the
 * header. The other lines are records and status objects. A status object is written when the run
 * becomes idle.
 */
export interface JournalLines extends StoredRun {
  /**
   * Status of the run. null if the last complete line is not a status object, because the run was
   * active.
   */
  readonly status: StoredRunStatus | null
  /** Checksum of the last complete line. The checksum of the next line is computed from it. */
  readonly chain: ChainChecksum
  /** Total size of the complete lines in the journal file, in bytes. */
  readonly size: number
  /**
   * Number of bytes in the journal file after the last complete line. The number is greater than 0
   * if a crash interrupted a write.
   */
  readonly torn: number
}

/**
 * Versions of the journal file format. Version 1 has no checksums. In version 2, each line ends
 * with a checksum. The header contains a second checksum, which covers only its first fields,
 * because lists of runs read only these fields.
 */
export const fileFormats = { plain: 1, checked: 2 } as const

/**
 * Returns the JSON text of the first line of a journal file. Short fields come first, because lists
 * of runs read only the start of the line, and because this makes the file easy to inspect.
 */
export function headerText({
  format: _format,
  runId,
  at,
  input,
  chart,
  calledBy,
  ...more
}: JournalHeader): string {
  const created = more.forkedFrom?.time
  const first = JSON.stringify({
    format: fileFormats.checked,
    writer: `agent-statecharts ${thisPackage().version}`,
    runId,
    at,
    fingerprint: chart.fingerprint,
    chartId: chart.id,
    ...(calledBy !== undefined && { caller: { runId: calledBy.runId, path: calledBy.path } }),
    ...(created !== undefined && { created }),
  }).slice(0, -1)
  const rest = JSON.stringify({
    ...more,
    ...(calledBy !== undefined && { calledBy }),
    input,
    chart,
  }).slice(1)
  return `${first},"head":"${hexOf(crc32(first))}",${rest}`
}

export const recordText = (record: JournalRecord): string => JSON.stringify(record)

export const statusText = (status: StoredRunStatus): string => JSON.stringify({ standing: status })

/**
 * Returns the complete text of the journal file for a run and its status line, and the checksum of
 * the last line.
 */
export function fileText(
  { header, records }: StoredRun,
  statusLine: string,
): { readonly text: string; readonly chain: ChainChecksum } {
  let chain: ChainChecksum = 0
  const lines = [headerText(header), ...records.map(recordText), statusLine].map((json) => {
    const line = addChecksum(json, chain)
    chain = line.chain
    return `${line.text}\n`
  })
  return { text: lines.join(""), chain }
}

/**
 * Parses the content of a journal file. Returns null if the header (the first line) was never
 * completely written.
 *
 * @throws AgentStatechartsError `journal_corrupt` if a line does not match its checksum, or if an
 * invalid line is followed by a valid one
 */
export function readLines(bytes: Buffer, file: string): JournalLines | null {
  const records: JournalRecord[] = []
  let [header, status]: [JournalHeader | null, StoredRunStatus | null] = [null, null]
  let [start, size, line]: [number, number, number] = [0, 0, 0]
  let chain: ChainChecksum = 0
  let wrong: number | null = null
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    const text = bytes.subarray(start, end)
    start = end + 1
    line++
    const checksum = checksumOf(text)
    // A line with a checksum was written completely, so a crash cannot be the reason for an invalid
    // line before it.
    if (wrong !== null && checksum !== null) throw notRecord(wrong, file)
    const value = valueOf(text, checksum)
    if (line === 1 && isHeader(value)) checkFormat(value.format, file)
    // JSON contains no zero bytes. After a crash, a file has zero bytes where data was not written
    // to disk.
    const isTorn = text.includes(0)
    if (!isTorn && checksum !== null && chain !== null && !isIntact(text, checksum, chain))
      throw changed(line, file)
    if (line === 1 && !isTorn) {
      if (!isHeader(value)) throw notRecord(line, file)
      header = headerOf(value, checksum, file)
      chain = checksum?.value ?? null
    } else if (isTorn || (checksum === null) !== (chain === null)) wrong ??= line
    else if (wrong !== null && (isRecord(value) || isStatusLine(value)))
      throw notRecord(wrong, file)
    else if (isRecord(value)) {
      records.push(value)
      status = null
    } else if (isStatusLine(value)) status = value.standing
    else wrong ??= line
    if (wrong !== null) continue
    size = start
    chain = checksum?.value ?? null
  }
  const rest = bytes.subarray(start)
  if (wrong === null && chain !== null && isCompleteWithoutNewline(rest, chain))
    throw changed(line + 1, file)
  const torn = bytes.length - size
  return header === null ? null : { header, records, status, chain, size, torn }
}

/**
 * Returns whether `rest`, the end of a journal file without a final newline, is a complete line
 * whose newline was damaged. If a crash has cut off the line, its checksum at the end is missing.
 * `before` is the checksum of the previous line.
 */
export function isCompleteWithoutNewline(rest: Buffer, before: number): boolean {
  const text = rest.subarray(0, -1)
  const checksum = checksumOf(text)
  return checksum !== null && isIntact(text, checksum, before)
}

export interface WrittenHeader extends Omit<JournalHeader, "format"> {
  readonly format: number
  readonly writer: string
  readonly fingerprint: string
  readonly chartId?: string
  readonly caller?: RunSummary["calledBy"]
  /** Creation time of a fork, in milliseconds since the epoch. Absent if the run is not a fork. */
  readonly created?: number
  readonly head?: string
}

const newline = 10

const notRecord = (line: number, file: string): Error =>
  corrupt(
    `line ${line} of ${file} is not a ${line === 1 ? "header" : "record, and others follow it"}. Restore the file from a backup`,
  )

export const changed = (line: number | null, file: string): Error =>
  corrupt(
    `${line === null ? "the last line" : `line ${line}`} of ${file} does not match its checksum: it was changed, or a line before it is missing. Restore the file from a backup`,
  )

export const isHeader = (value: unknown): value is WrittenHeader =>
  isJsonObject(value) && typeof value["format"] === "number" && typeof value["runId"] === "string"

export const isStatusLine = (value: unknown): value is { readonly standing: StoredRunStatus } =>
  isJsonObject(value) && isJsonObject(value["standing"])

export function checkFormat(format: number, file: string): void {
  if (format !== fileFormats.plain && format !== fileFormats.checked)
    throw corrupt(
      `${file} has the format ${format}, but this version reads ${fileFormats.plain} and ${fileFormats.checked}; resume the run with the version that wrote it`,
    )
}

/** Converts the parsed first line of a journal file to a journal header. */
export function headerOf(
  {
    writer: _writer,
    fingerprint: _fingerprint,
    chartId: _chartId,
    caller: _caller,
    head: _head,
    created: _created,
    format,
    ...header
  }: WrittenHeader,
  checksum: Checksum | null,
  file: string,
): JournalHeader {
  const { chart, input, at } = header
  if ((checksum !== null) !== (format === fileFormats.checked))
    throw corrupt(`line 1 of ${file} has lost its checksum. Restore the file from a backup`)
  if (!isJsonObject(chart) || !isJsonObject(input) || typeof at !== "number")
    throw corrupt(`line 1 of ${file} is not a complete header: chart, input or time is missing`)
  if (checksum === null) checkFingerprint(chart, file)
  return { format: 1, ...header }
}
