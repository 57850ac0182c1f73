import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { crc32 } from "node:zlib"
import type { StoredRunStatus, RunSummary } from "../../../runtime/journal/journal.js"
import { callerOf, startedAtOf } from "../../../runtime/journal/journal.js"
import { checksumOf, corrupt, hexOf, isIntact, valueOf } from "../checksums.js"
import { isRecord } from "../is-record.js"
import {
  changed,
  checkFormat,
  fileFormats,
  headerOf,
  isHeader,
  isStatusLine,
  isCompleteWithoutNewline,
} from "./journal-lines.js"

/**
 * The data of a run that is shown in a list of runs, for example its start time and its status. It
 * is stored in the first and the last line of a journal file.
 */
export interface FirstAndLastLine extends Pick<
  RunSummary,
  "runId" | "chart" | "startedAt" | "calledBy"
> {
  /**
   * Status of the run. null if the last complete line of the file is not a status object, because
   * the run was active.
   */
  readonly status: StoredRunStatus | null
}

type Read = (from: number, to: number) => Buffer

/**
 * Number of bytes that are read from a journal file at a time. The required fields of most headers
 * and most last lines fit into one chunk.
 */
const chunk = 4096

/**
 * Reads the start and the last line of a journal file for a list of runs. The duration does not
 * depend on the length of the file, because the other lines are neither read nor checked. Returns
 * null if the header was never completely written.
 *
 * @throws AgentStatechartsError `journal_corrupt` if the first line is not a header or does not
 * match its checksum
 */
export function readFirstAndLastLine(file: string): FirstAndLastLine | null {
  const descriptor = openSync(file, "r")
  try {
    const { size } = fstatSync(descriptor)
    const read: Read = (from, to) => {
      const bytes = Buffer.allocUnsafe(to - from)
      let got = 0
      for (let more = -1; more !== 0 && got < bytes.length; got += more)
        more = readSync(descriptor, bytes, got, bytes.length - got, from + got)
      return bytes.subarray(0, got)
    }
    const last = lastLine(read, size, file)
    if (last === null) return null
    const head = readHead(read, size, file)
    if (head !== null) return { ...head, status: last.status }
    if (last.isHeader && firstLine(read, size).includes(0)) return null
    throw corrupt(`line 1 of ${file} is not a header. Restore the file from a backup`)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Returns the status in the last complete line of a journal file, and whether this line is the
 * header. Skips an incomplete line that a crash has left at the end. Returns null if no line is
 * complete.
 */
function lastLine(
  read: Read,
  size: number,
  file: string,
): { readonly status: StoredRunStatus | null; readonly isHeader: boolean } | null {
  /**
   * Returns the checksum of the line that ends before the offset `start`. null if it has no
   * checksum.
   */
  const before = (start: number): number | null =>
    checksumOf(read(Math.max(0, start - 64), Math.max(0, start - 1)))?.value ?? null
  for (const { start, line, hasEnd } of linesFromEnd(read, size)) {
    if (!hasEnd && line.length === 0) continue
    const chain = start === 0 ? 0 : before(start)
    if (!hasEnd) {
      if (chain !== null && isCompleteWithoutNewline(line, chain)) throw changed(null, file)
      continue
    }
    if (start === 0) return { status: null, isHeader: true }
    const checksum = checksumOf(line)
    const isTorn = line.includes(0)
    if (!isTorn && checksum !== null && chain !== null && !isIntact(line, checksum, chain))
      throw changed(null, file)
    const value = valueOf(line, checksum)
    if (isRecord(value)) return { status: null, isHeader: false }
    if (isStatusLine(value)) return { status: value.standing, isHeader: false }
  }
  return null
}

/** Yields the lines of a file in reverse order. The last line of the file may be incomplete. */
function* linesFromEnd(
  read: Read,
  size: number,
): Generator<{ readonly start: number; readonly line: Buffer; readonly hasEnd: boolean }> {
  let from = size
  let bytes: Buffer = Buffer.alloc(0)
  /** Offset in `bytes` at which the current line ends. null until this end has been found. */
  let end: number | null = null
  for (let step = chunk; ;) {
    const before: number = (end ?? bytes.length) - 1
    const newline = before < 0 ? -1 : bytes.lastIndexOf(10, before)
    if (newline === -1 && from > 0) {
      const next = Math.max(0, from - step)
      const more = read(next, from)
      bytes = Buffer.concat([more, bytes.subarray(0, end === null ? bytes.length : end + 1)])
      end = end === null ? null : end + more.length
      from = next
      step *= 2
      continue
    }
    const line = bytes.subarray(newline + 1, end ?? bytes.length)
    yield { start: from + newline + 1, line, hasEnd: end !== null }
    if (newline === -1) return
    end = newline
  }
}

const text = String.raw`("(?:[^"\\]|\\.)*")`
const beginning = new RegExp(
  String.raw`^\{"format":(\d+),"writer":${text},"runId":${text},"at":(-?[\d.eE+-]+),"fingerprint":${text},"chartId":${text}(?:,"caller":\{"runId":${text},"path":${text}\})?(?:,"created":(-?[\d.eE+-]+))?(?:,"head":"([0-9a-f]{8})")?,`,
)

/**
 * Returns the run id, the chart id, the start time and the caller from the header of a journal
 * file. If these fields are not at the start of the file, reads the whole header. Returns null if
 * the header is invalid.
 */
function readHead(read: Read, size: number, file: string): Omit<FirstAndLastLine, "status"> | null {
  const [all, format, , runId, at, , chart, caller, path, created, head] =
    beginning.exec(read(0, Math.min(size, chunk)).toString("utf8")) ?? []
  const isOfLists = head !== undefined || Number(format) === fileFormats.plain
  if (all !== undefined && runId !== undefined && chart !== undefined && isOfLists) {
    checkFormat(Number(format), file)
    if (head !== undefined && hexOf(crc32(all.slice(0, all.lastIndexOf(',"head":')))) !== head)
      throw changed(1, file)
    return {
      runId: JSON.parse(runId) as string,
      chart: JSON.parse(chart) as string,
      startedAt: Number(created ?? at),
      ...(caller !== undefined &&
        path !== undefined && {
          calledBy: { runId: JSON.parse(caller) as string, path: JSON.parse(path) as string },
        }),
    }
  }
  const line = firstLine(read, size)
  const checksum = checksumOf(line)
  if (checksum !== null && !isIntact(line, checksum, 0)) throw changed(1, file)
  const value = valueOf(line, checksum)
  if (!isHeader(value)) return null
  checkFormat(value.format, file)
  const header = headerOf(value, checksum, file)
  return {
    runId: header.runId,
    chart: header.chart.id,
    startedAt: startedAtOf(header),
    ...callerOf(header),
  }
}

function firstLine(read: Read, size: number): Buffer {
  for (let length = chunk; ; length *= 2) {
    const bytes = read(0, Math.min(size, length))
    const end = bytes.indexOf(10)
    if (end !== -1 || length >= size) return bytes.subarray(0, end === -1 ? bytes.length : end)
  }
}
