import { writeFileSync } from "node:fs"
import { workflow } from "./workflow.js"

// The commands check, draw and run read this file.
writeFileSync("dist/workflow.json", `${JSON.stringify(workflow, null, 2)}\n`)
