import { createPlatform, type Invocation } from '@signalbox/platform'

/** Creates a platform with one in-process function. Returns functions that send events to it. */
export function functionSetup(returned: (event: never, answer: unknown) => unknown) {
  let answer: unknown
  const platform = createPlatform({
    functions: { shop: { handler: event => returned(event as never, answer), timeout: 5 } },
    dataDir: ':memory:',
    grace: 0,
  })
  const invoke = (event: unknown, given: unknown): Promise<Invocation> => {
    answer = given
    return platform.invoke('shop', event)
  }
  return {
    invoke,
    /**
     * Returns why the platform refuses the answer or does not send the event, or undefined if it accepts
     * both.
     */
    async refusal(event: unknown, given: unknown): Promise<string | undefined> {
      const { verdict } = await invoke(event, given)
      if (verdict === undefined) return 'The platform does not send this event.'
      return verdict.ok ? undefined : verdict.text
    },
  }
}
