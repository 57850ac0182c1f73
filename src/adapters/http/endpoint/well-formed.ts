/**
 * Replaces unpaired surrogates with the replacement character, as UTF-8 encoding does. Unpaired
 * surrogates cannot be percent-encoded.
 */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\uFFFD")
