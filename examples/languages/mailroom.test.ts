import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { createPlatform, type InvocationLogEntry } from '@signalbox/platform'
import { describeWith } from '@signalbox/platform-runtime/testing/installed-program'
import { postOffice } from '../post-office.ts'

describeWith(['python3'], describe, 'a function in Python for mail', () => {
  const seen: InvocationLogEntry[] = []
  let tell = (_entry: InvocationLogEntry) => {}
  const platform = createPlatform(
    {
      functions: {
        mailroom: {
          command: ['python3', '../../packages/platform/languages/python/runtime.py'],
          export: 'mailroom.handler',
          dialect: 'aws',
        },
      },
      mail: {
        port: 0,
        domains: { 'office.example': { to: 'mailboxes' }, 'partner.example': { to: 'mailboxes' } },
        rules: [{ direction: 'INBOUND', function: 'mailroom' }],
        relay: 'keep',
      },
      control: { port: 0 },
      dataDir: ':memory:',
    },
    {
      root: import.meta.dirname,
      onInvocation(entry) {
        seen.push(entry)
        tell(entry)
      },
    },
  )
  let office: ReturnType<typeof postOffice>
  beforeAll(async () => {
    const addresses = await platform.start()
    office = postOffice(
      addresses.find(({ source }) => source === 'mail')!.url,
      platform,
      () =>
        new Promise(resolve => {
          tell = resolve
        }),
    )
  })
  afterAll(async () => {
    office?.close()
    await platform.stop()
  })

  const send = async (settings: Parameters<typeof mailEvent>[0]) => {
    const { happened } = await office.send(mailEvent(settings))
    return happened.split('; ')
  }

  it.each([
    ['delivers', 'rita@partner.example', ['ann@office.example gets it']],
    ['drops', 'eve@spam.example', ['ann@office.example: dropped']],
  ])(
    '%s a mail',
    async (_what, from, happened) => {
      expect(await send({ from, recipients: ['ann@office.example'] })).toEqual(happened)
    },
    60_000,
  )

  it('sends back what is for people who have left, and delivers the rest', async () => {
    expect(
      await send({ from: 'rita@partner.example', recipients: ['Gina@office.example', 'ann@office.example'] }),
    ).toEqual([
      'Gina@office.example: back to the sender (Gina has left the office. Please write to ann@office.example.)',
      'ann@office.example gets it',
    ])
    expect(seen.at(-1)!.logs).toContainEqual({
      stream: 'out',
      text: expect.stringMatching(/^INBOUND mail \S+, attempt \S+$/),
    })
  })

  it('takes ten actions', async () => {
    const left = Array.from({ length: 9 }, (_, index) => `piet${index + 1}@office.example`)
    expect(await send({ from: 'rita@partner.example', recipients: [...left, 'ann@office.example'] })).toEqual(
      [
        ...left.map(
          (address, index) => `${address}: back to the sender (Piet ${index + 1} has left the office.)`,
        ),
        'ann@office.example gets it',
      ],
    )
    expect(JSON.parse(seen.at(-1)!.payload).actions).toHaveLength(10)
  })
})
