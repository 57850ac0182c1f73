export const services = {
  look_up: () => ({ done: true }),
}
