import { readdirSync, renameSync } from "node:fs"
import { unlink } from "node:fs/promises"
import type { JournalHeader, StoredRun } from "../../../runtime/journal/journal.js"
import { systemErrorCode } from "../../system-error-code.js"
import type { ChainChecksum } from "../checksums.js"
import { addChecksum } from "../checksums.js"
import { journalFailed } from "../journal-failed.js"
import { fileText, headerText } from "./journal-lines.js"
import { writeAndSync } from "./run-file.js"

/**
 * Returns the name of the temporary file for the new content of a journal file. After all content
 * is written, the temporary file replaces the journal file.
 */
const unfinished = (file: string): string => `${file}.new`

/**
 * The end of a journal file, where the next line is written. `size` is the size of the file in
 * bytes, and `chain` is the checksum of the last line.
 */
interface FileEnd {
  readonly size: number
  readonly chain: ChainChecksum
}

/**
 * Creates a journal file with the header of a run as its first line. The caller must sync the
 * folder.
 */
export async function createFile(file: string, header: JournalHeader): Promise<FileEnd> {
  const { text, chain } = addChecksum(headerText(header), 0)
  const line = Buffer.from(`${text}\n`)
  await writeAndSync(file, "w", line, 0, true)
  return { size: line.length, chain }
}

/**
 * Replaces or creates the journal file of a run. The new content is first written to a temporary
 * file, so that a crash leaves either the old content or the new content. `statusLine` is the text
 * of the last line, which contains the status of the run. The caller must sync the folder.
 */
export async function rewriteFile(
  file: string,
  run: StoredRun,
  statusLine: string,
): Promise<FileEnd> {
  const { text, chain } = fileText(run, statusLine)
  const bytes = Buffer.from(text)
  await writeAndSync(unfinished(file), "w", bytes, 0, true)
  renameSync(unfinished(file), file)
  return { size: bytes.length, chain }
}

/**
 * Deletes the journal file of a run, and the temporary file that a crash may have left next to it.
 */
export async function deleteFile(file: string): Promise<void> {
  await unlink(unfinished(file)).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
  await unlink(file)
}

/**
 * Returns the names of the journal files (`*.jsonl`) in a folder. Returns an empty list if the
 * folder does not exist.
 */
export function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".jsonl"))
  } catch (error) {
    if (isMissing(error)) return []
    throw journalFailed(`the journal folder ${folder} cannot be read`, error)
  }
}

export const isMissing = (error: unknown): boolean => systemErrorCode(error) === "ENOENT"
