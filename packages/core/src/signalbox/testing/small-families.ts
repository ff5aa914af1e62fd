import * as t from 'io-ts'
import type { BaseHandler, Family, Middleware, Plugin, Request } from '../../index.ts'
import { normalizer, validator } from '../../index.ts'

// Two small event families that use only the public interface of the package.
export const Greeting = t.type({ greet: t.string })
export const greetings: Family = {
  name: 'greeting',
  recognizes: event => typeof event === 'object' && event !== null && 'greet' in event,
  keys: ['greet'],
  correlationId: () => undefined,
  event: Greeting,
  normalize(event) {
    const greeting = event as { greet: unknown }
    if (typeof greeting.greet === 'number') greeting.greet = String(greeting.greet)
  },
}
const Sum = t.type({ add: t.array(t.number) })
export const sums: Family = {
  name: 'sum',
  recognizes: event => typeof event === 'object' && event !== null && 'add' in event,
  keys: ['add'],
  correlationId: () => undefined,
  event: Sum,
  normalize() {},
}

export const exclaim: Middleware = {
  name: 'exclaim',
  after: (request: Request<unknown, string>) => {
    request.response = `${request.response}!`
  },
}

/** Returns a plugin that greets, with a middleware of its own. */
export function greeter(
  handler: BaseHandler = ({ greet }: t.TypeOf<typeof Greeting>) => `Hello ${greet}`,
): Plugin<string> {
  return { family: greetings, middlewares: [normalizer(greetings), validator(greetings), exclaim], handler }
}
/** Returns a plugin that adds numbers. */
export function adder(): Plugin<number> {
  return {
    family: sums,
    middlewares: [validator(sums)],
    handler: async ({ add }: t.TypeOf<typeof Sum>) => add.reduce((sum, each) => sum + each, 0),
  }
}
