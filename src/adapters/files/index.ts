export { openFolder } from "./open-folder.js"
export type { FolderOptions } from "./open-folder.js"
