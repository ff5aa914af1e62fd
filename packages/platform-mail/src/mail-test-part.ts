import type { SourceContext, TestPart } from '@signalbox/platform-runtime'
import { testRoute } from '@signalbox/platform-runtime'
import { found, wholeNumber } from '@signalbox/platform-runtime/console'
import { consoleMail } from './console/console-mail.ts'
import type { OpenMail } from './open-mail.ts'

/** The maximum number of mails in one answer. */
const mostListed = 1000

/**
 * Mail in the test interface.
 * @param isShared whether other platforms may use the same mail storage
 */
export function mailTestPart(
  opened: () => Promise<OpenMail>,
  { clock, isShared }: Pick<SourceContext, 'clock'> & { readonly isShared: boolean },
): TestPart {
  const mail = consoleMail(opened, clock)
  return {
    name: 'mail',
    isShared,
    routes: [
      testRoute('GET', '/mails', { last: wholeNumber }, async ({ fields: { last = 100 } }) =>
        (await mail.list()).slice(0, Math.min(last, mostListed)),
      ),
      testRoute('GET', '/mails/{id}', {}, async ({ params: { id } }) => {
        const state = (await mail.list()).find(each => each.id === id)
        const raw = await mail.raw(id)
        return { ...found(state, `mail ${id}`), content: raw && (await mail.parse(raw)) }
      }),
      testRoute('GET', '/mailboxes/{address}', {}, ({ params: { address } }) => mail.mailboxes(address)),
      testRoute('GET', '/mailboxes/{address}/{id}', {}, async ({ params: { address, id } }) =>
        mail.parse(found(await mail.delivered(address, id), `mail ${id} in the mailbox ${address}`)),
      ),
    ],
    reset: async () => (await opened()).clear(),
  }
}
