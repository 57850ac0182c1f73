import * as fc from "fast-check"
import { afterAll } from "vitest"
import { seed } from "./random-cases.js"
import { removeTemporaryFolders } from "./temporary-folder.js"

// Runs before each test file. A failing property prints its seed and the path to the failing case.
fc.configureGlobal({ seed })
afterAll(removeTemporaryFolders)
