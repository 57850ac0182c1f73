/** Halves of surrogate pairs become the replacement character, as in a body that is sent as UTF-8; nothing else can be percent-encoded. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\uFFFD")
