import { describe, expect, it } from '@jest/globals'
import {
  knownSource,
  type Source,
  sourcesOf,
  triggerEventCodec,
  triggers,
} from '@signalbox/user-pool/contract'
import { type Answers, poolSetup } from '../../testing/pool-setup.ts'
import { triggerFlows } from '../../testing/trigger-flows.ts'

const sources = Object.keys(triggers).flatMap(sourcesOf)

it('every trigger source of the contract has a test flow that calls it', () => {
  expect(Object.keys(triggerFlows).sort()).toEqual([...sources].sort())
})

const isSender = (source: Source) => /^Custom(?:Email|SMS)Sender_/.test(source)

describe.each(sources.map(source => [source] as const))('%s', source => {
  const { run, answers = {}, pool = {}, client = {}, version = 1 } = triggerFlows[source]
  const setupWith = (own: () => object) =>
    poolSetup({ pool, client, version, answers: { ...answers, [source]: answers[source] ?? own } as Answers })

  it('is called by its flow with a valid event', async () => {
    await using setup = await setupWith(() => ({}))
    await run(setup)
    await setup.engine.settled()
    const events = setup.eventsOf(source)
    expect(events.length).toBeGreaterThan(0)
    for (const event of events) expect(triggerEventCodec.is(event)).toBe(true)
  })

  it(`${isSender(source) ? 'does not fail' : 'fails'} the flow when the function throws`, async () => {
    await using setup = await poolSetup({
      pool,
      client,
      version,
      answers: {
        ...answers,
        [source]: () => {
          throw new Error('not now')
        },
      },
    })
    if (isSender(source)) {
      await run(setup)
      await setup.engine.settled()
      expect((await setup.texts())[0]).toMatchObject({ state: 'failed' })
      return
    }
    await expect(run(setup)).rejects.toMatchObject({
      type: 'UserLambdaValidationException',
      message: `${knownSource(source)!.trigger} failed with error not now.`,
    })
  })

  // No flow waits for the response of a custom sender.
  if (!isSender(source))
    it('fails the flow when the function does not return an event', async () => {
      await using setup = await poolSetup({
        pool,
        client,
        version,
        answers,
        triggers: [...new Set([...(Object.keys(answers) as Source[]), source])],
        returned: given => (given.triggerSource === source ? 'fine' : undefined),
      })
      await expect(run(setup)).rejects.toMatchObject({ type: 'InvalidLambdaResponseException' })
    })
})
