import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { mailSetup } from '../testing/mail-setup.ts'

const deliver = { actions: [{ action: { type: 'DEFAULT' }, allRecipients: true }] }
const [bob, carol] = ['bob@office.example', 'carol@office.example'] as const

/** Changes a mail over HTTP. Returns the text that it had before. */
async function change(url: string, id: string, of: (raw: string) => string): Promise<string> {
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${url}${path}`, init)
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text
  }
  const raw = await ask(`/messages/${id}`)
  await ask('/objects/changes/x', { method: 'PUT', body: of(raw) })
  const content = { s3Reference: { bucket: 'changes', key: 'x' } }
  await ask(`/messages/${id}`, { method: 'POST', body: JSON.stringify({ content }) })
  return raw
}

it('the content of a mail that nobody gets is not remembered with the decision', async () => {
  using folder = temporaryFolder()
  await using setup = await mailSetup(
    async ({ messageId }) => {
      await change(setup.urls.control, messageId, raw => raw.replace('Hi!', 'Changed'))
      return { actions: [{ action: { type: 'BOUNCE' }, allRecipients: true }] }
    },
    { inbound: { decide: 'before' }, dataDir: folder.path },
  )
  await expect(setup.send()).rejects.toThrow('550 5.7.1')
  const database = new DatabaseSync(join(folder.path, 'mail.sqlite'), { readOnly: true })
  const [decision] = database.prepare('select decision, raw from early_decisions').all()
  database.close()
  expect(decision).toEqual({ decision: expect.any(String), raw: null })
})

it('a retry gets the mail as it was before the failed attempt changed it', async () => {
  const seen: string[] = []
  await using setup = await mailSetup(
    async ({ messageId }) => {
      seen.push(await change(setup.urls.control, messageId, raw => raw.replace('Hi!', 'Hi! Hi!')))
      if (seen.length === 1) throw new Error('broken')
      return deliver
    },
    { inbound: { timeout: 10 } },
  )
  const id = await setup.send()
  await setup.calm()
  expect(String(await setup.platform.mail.fetch(id))).toContain('\r\nHi!\r\n')
  await setup.pass(1)
  expect(seen.map(raw => raw.includes('\r\nHi!\r\n'))).toEqual([true, true])
  expect((await setup.inbox(bob))[0]!.text).toContain('\r\nHi! Hi!\r\n')
  expect(await setup.recipientReports(id)).toMatchObject({ [bob]: { state: 'delivered' } })
})

it('recipients of a changed mail are filed by its spam flag, and those that the function adds get it, too', async () => {
  await using setup = await mailSetup(async ({ messageId }) => {
    await change(setup.urls.control, messageId, raw =>
      raw.replace('Subject:', 'X-Spam-Flag: YES\r\nSubject:'),
    )
    return { actions: [{ action: { type: 'DEFAULT' }, recipients: [bob, carol] }] }
  })
  await setup.send()
  await setup.calm()
  const [first] = await setup.inbox(bob)
  const [added] = await setup.inbox(carol)
  expect([first!.folder, added!.folder]).toEqual(['junk', 'junk'])
  expect(added!.text).toContain('X-Spam-Flag: YES')
})

it.each(['before', 'after'] as const)(
  'the sender of a mail that bounces %s the reply for some gets back the head that was sent',
  async decide => {
    const bounce = { action: { type: 'BOUNCE' }, recipients: [bob] }
    await using setup = await mailSetup(
      async ({ messageId }) => {
        await change(setup.urls.control, messageId, raw => raw.replace('Subject: Hello', 'Subject: Changed'))
        return { actions: [bounce, ...deliver.actions] }
      },
      { inbound: { decide }, mixed: 'report', relay: 'keep' },
    )
    await setup.send({ to: [bob, carol] })
    await setup.calm()
    expect((await setup.inbox(carol))[0]!.text).toContain('Changed')
    const [report] = await setup.inbox('ann@far.example')
    expect(report!.text).toContain('Subject: Hello')
    expect(report!.text).not.toContain('Changed')
  },
)

it('a mail that a function drops after it has changed it keeps its content', async () => {
  await using setup = await mailSetup(async ({ messageId }) => {
    await change(setup.urls.control, messageId, raw => raw.replace('Hi!', 'Changed'))
    return { actions: [{ action: { type: 'DROP' }, allRecipients: true }] }
  })
  const id = await setup.send()
  await setup.calm()
  expect(String(await setup.platform.mail.fetch(id))).toContain('Hi!')
})
