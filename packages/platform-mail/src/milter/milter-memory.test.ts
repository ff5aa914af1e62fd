import { describe, expect, it } from '@jest/globals'
import { until } from '../testing/mail-setup.ts'
import { milterClient } from '../testing/milter-client.ts'
import { testMilter } from '../testing/test-milter.ts'

describe('the memory of mails', () => {
  it('has a limit, and a mail for which there is no more is refused for now', async () => {
    await using milter = await testMilter(() => 'open', { memory: 200_000 })
    await using first = await milterClient(milter.url)
    await first.begin({ body: 'x'.repeat(150_000) })
    await using second = await milterClient(milter.url)
    await until(async () => (await second.ask({ body: 'x'.repeat(100_000) })).reply.startsWith('y 452'))
    expect((await first.end()).reply).toBe('c')
    expect((await second.ask({ body: 'x'.repeat(100_000) })).reply).toBe('c')
  })

  it('is in use until the function has decided, even if the mail server has its answer', async () => {
    let decided = (_: 'open') => {}
    const decide = () => new Promise<'open'>(resolve => (decided = resolve))
    await using milter = await testMilter(decide, { memory: 200_000 })
    await using client = await milterClient(milter.url)
    const large = { body: 'x'.repeat(150_000) }
    const first = client.ask(large)
    await until(() => milter.mails.length === 1)
    await milter.clock.advance(5 * 60_000)
    expect((await first).reply).toMatch(/^y 451 4\.3\.0 /)
    expect((await client.ask(large)).reply).toMatch(/^y 452 4\.3\.1 /)
    expect(milter.mails).toHaveLength(1)
    decided('open')
    await new Promise(setImmediate)
    const second = client.ask(large)
    await until(() => milter.mails.length === 2)
    decided('open')
    expect((await second).reply).toBe('c')
  })
})
