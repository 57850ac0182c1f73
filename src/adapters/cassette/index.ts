/** Records the responses of models and tools in a file and replays them in tests. */
export type { Cassette, CassetteEntry, CassetteRequest } from "./cassette.js"
export { playCassette } from "./play-cassette.js"
export type { CassetteMiss, CassettePlayer } from "./play-cassette.js"
export { recordCassette } from "./record-cassette.js"
export type { CassetteRecorder } from "./record-cassette.js"
