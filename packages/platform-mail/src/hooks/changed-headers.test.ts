import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type HeadOf, head, mailOf } from '../testing/head-arbitrary.ts'
import { askHook } from '../testing/hook-requests.ts'
import { testHooks } from '../testing/test-hooks.ts'

/** The values of each name in order, as text without the space in front. */
function byName(head: HeadOf): { readonly [name: string]: readonly string[] } {
  const values = new Map<string, string[]>()
  for (const [name, value] of head) {
    const text = Buffer.from(value, 'latin1').toString().replace(/^ /, '').replaceAll('\r\n', '\n')
    values.set(name.toLowerCase(), [...(values.get(name.toLowerCase()) ?? []), text])
  }
  return Object.fromEntries(values)
}

it('a client of rspamd makes the headers of the changed mail, or is asked to come again', async () => {
  let after: Buffer = Buffer.alloc(0)
  await using hooks = await testHooks(() => ({ type: 'DEFAULT' }), { content: () => after })
  await fc.assert(
    fc.asyncProperty(head, head, async (before, own) => {
      after = mailOf(own)
      const { json } = await askHook(hooks.url, {
        path: '/checkv2',
        headers: { from: 'ann@far.example', rcpt: 'bob@office.example' },
        body: mailOf(before),
      })
      const is = byName(own)
      if (json.action === 'soft reject') {
        const several = Object.entries(is).filter(([, values]) => values.length > 1)
        return expect(several).not.toEqual([])
      }
      const { remove_headers = {}, add_headers = {} } = json.milter ?? {}
      // OpenSMTPD compares the spelling, and Haraka does not.
      const removed = Object.keys(remove_headers)
      const kept = before.filter(([name]) => !removed.includes(name))
      for (const name of removed) expect(byName(kept)[name.toLowerCase()]).toBeUndefined()
      const made = byName(kept) as { [name: string]: readonly string[] }
      for (const [name, value] of Object.entries(add_headers)) {
        expect(made[name.toLowerCase()]).toBeUndefined()
        made[name.toLowerCase()] = [value as string]
      }
      expect(made).toEqual(is)
    }),
  )
})
