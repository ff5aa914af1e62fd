import { createPlatform, type Fired } from '../src/index.ts'

/** A platform with one function in this process, at which events are fired. */
export function functionBox(returned: (event: never, answer: unknown) => unknown) {
  let answer: unknown
  const platform = createPlatform({
    functions: { shop: { handler: event => returned(event as never, answer), timeout: 5 } },
    dataDir: ':memory:',
    grace: 0,
  })
  const fire = (event: unknown, given: unknown): Promise<Fired> => {
    answer = given
    return platform.fire('shop', event)
  }
  return {
    fire,
    /** Why the platform does not go on with the answer, or does not send the event; undefined when it does. */
    async refusal(event: unknown, given: unknown): Promise<string | undefined> {
      const { conclusion } = await fire(event, given)
      if (conclusion === undefined) return 'The platform does not send this event.'
      return conclusion.ok ? undefined : conclusion.text
    },
  }
}
