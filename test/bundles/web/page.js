import * as program from "./program.js"

globalThis.program = program
