export const services = {
  pay: () => ({ done: true }),
  audit: () => undefined,
}
