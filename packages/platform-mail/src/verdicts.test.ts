import { mailServer } from './testing/mail-server.ts'
import { offerTestMail } from './testing/offer-mail.ts'
import { type VerdictDoor, verdictSuite } from './testing/verdict-suite.ts'

const folders: VerdictDoor['folders'] = async (setup, address) =>
  (await setup.inbox(address)).map(({ folder }) => folder)

verdictSuite({
  ...{ name: 'SMTP', isExact: false, addsToRefused: true, folders },
  async offer({ urls }, mail) {
    const [reply] = await offerTestMail(urls.smtp, mail)
    return mail.to.map(() => reply!)
  },
})

verdictSuite({
  ...{ name: 'LMTP', isExact: true, addsToRefused: true, folders },
  offer: ({ urls }, mail) => offerTestMail(urls.lmtp, mail),
})

/** A mail server that asks the milter. It cannot add recipients to a mail that it refuses. */
const server = mailServer()
verdictSuite({
  ...{ name: 'a milter', isExact: false, addsToRefused: false },
  folders: async (_, address) => server.folders(address),
  async offer({ urls }, mail) {
    const reply = await server.offer(urls.milter, mail)
    return mail.to.map(() => reply)
  },
})
