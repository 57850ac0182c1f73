export function randomFrom(start: number): () => number
