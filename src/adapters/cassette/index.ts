/**
 * Records the requests and responses of models and tools as a cassette, which is plain JSON, and
 * replays the cassette in tests.
 */
export type { Cassette, CassetteEntry, CassetteRequest } from "./cassette.js"
export { playCassette } from "./play-cassette.js"
export type { CassetteMiss, CassettePlayer } from "./play-cassette.js"
export { recordCassette } from "./record-cassette.js"
export type { CassetteRecorder } from "./record-cassette.js"
