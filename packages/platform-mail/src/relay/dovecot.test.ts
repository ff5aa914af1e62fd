import { describe, expect, it } from '@jest/globals'
import { describeWith } from '@signalbox/platform-runtime/testing/installed-program'
import { dovecot } from '../testing/dovecot.ts'
import { mailSetup } from '../testing/mail-setup.ts'

// Dovecot starts its processes as other users, which only root may.
const programs = process.getuid?.() === 0 ? ['dovecot'] : ['dovecot', 'rights of root']

describeWith(programs, describe, 'Dovecot files the mail of a domain', () => {
  it('over LMTP, with sieve for junk, and refuses those that it does not know', async () => {
    await using store = await dovecot(['ann@office.example', 'bob@office.example'])
    const office = await mailSetup(
      ({ subject }) => ({
        actions: [
          { action: { type: subject === 'Offer' ? 'MOVE_TO_JUNK' : 'DEFAULT' }, allRecipients: true },
        ],
      }),
      { domains: { 'office.example': { to: { lmtp: { socket: store.socket } } } }, relay: 'keep' },
    )
    try {
      const mixed = await office.send({
        to: ['ann@office.example', 'nobody@office.example', 'bob@office.example'],
        subject: 'Minutes',
      })
      const junk = await office.send({ to: 'ann@office.example', subject: 'Offer' })
      await office.calm()
      expect(await office.recipientStates(mixed)).toEqual({
        'ann@office.example': 'relayed',
        'nobody@office.example': 'bounced',
        'bob@office.example': 'relayed',
      })
      expect((await office.recipientReports(mixed))['nobody@office.example']!.why).toMatch(/^550 5\.1\.1 /)
      expect(await office.recipientStates(junk)).toEqual({ 'ann@office.example': 'relayed' })
      const subjects = async (folder: 'INBOX' | 'Junk', address = 'ann@office.example') =>
        [...(await store.mails(address, folder)).matchAll(/^Subject: (.*)\r$/gm)].map(([, text]) => text)
      expect(await subjects('INBOX')).toEqual(['Minutes'])
      expect(await subjects('INBOX', 'bob@office.example')).toEqual(['Minutes'])
      expect(await subjects('Junk')).toEqual(['Offer'])
    } finally {
      await office.platform.stop()
    }
  })
})
