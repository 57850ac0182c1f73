import { loadPg } from "../../postgres/load-pg.js"

export const pg = await loadPg("adapters/journal/postgres")
