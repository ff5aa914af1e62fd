import { offerTestMail } from './testing/offer-mail.ts'
import { verdictSuite } from './testing/verdict-suite.ts'

verdictSuite({
  name: 'SMTP',
  isExact: false,
  async offer({ urls }, mail) {
    const [reply] = await offerTestMail(urls.smtp, mail)
    return mail.to.map(() => reply!)
  },
})

verdictSuite({ name: 'LMTP', isExact: true, offer: ({ urls }, mail) => offerTestMail(urls.lmtp, mail) })
