/** Functions by the name of their tool: `(context, args) => result`. */
export const services = {}
