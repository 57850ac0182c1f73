export const services = {
  audit: () => undefined,
  normalize: (context, { args }) => {
    args.currency = "EUR"
  },
  stranger: () => undefined,
  pay_strict: () => ({ done: true }),
  pay_loose: () => ({ done: true }),
  pay_third: () => ({ done: true }),
}
