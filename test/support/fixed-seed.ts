import * as fc from "fast-check"
import { seed } from "./random-cases.js"

// Runs before each test file. A failing property prints its seed and the path to the failing case.
fc.configureGlobal({ seed })
