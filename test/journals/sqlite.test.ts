import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/sqlite-journal.js"
import { describeJournal } from "./journal-contract.js"

const folder = mkdtempSync(join(tmpdir(), "journals-"))
afterAll(() => rmSync(folder, { recursive: true }))

describeJournal("SQLite", (place) => sqliteJournal(join(folder, `${place}.sqlite`)))
