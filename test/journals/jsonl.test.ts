import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/jsonl-journal.js"
import { describeJournal } from "./journal-contract.js"

const folder = mkdtempSync(join(tmpdir(), "journals-"))
afterAll(() => rmSync(folder, { recursive: true }))

describeJournal("JSONL", (place) => jsonlJournal(join(folder, place)))
