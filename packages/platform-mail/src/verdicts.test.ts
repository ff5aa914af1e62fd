import { mtaHooksServer, rspamdClient, stalwartServer } from './testing/hook-servers.ts'
import { mailServer } from './testing/mail-server.ts'
import { offerTestMail } from './testing/offer-mail.ts'
import { bob, carol, dora } from './testing/verdict-cases.ts'
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

/** A reply in one line. */
const inOneLine = (reply: string) => {
  const [first = '', ...more] = reply.split('\n')
  return [first, ...more.map(line => line.replace(/^\d\.\d\.\d /, ''))]
    .join(' ')
    .slice(0, '550 '.length + 400)
}

for (const [name, asking] of [
  ["Stalwart's hook", stalwartServer()],
  ['MTA hooks of draft 01', mtaHooksServer()],
] as const)
  verdictSuite({
    ...{ name, isExact: false, addsToRefused: false, says: inOneLine },
    folders: async (_, address) => asking.folders(address),
    async offer({ urls }, mail) {
      const reply = await asking.offer(urls.hooks, mail)
      return mail.to.map(() => reply)
    },
  })

const toAll = (reply: string, ...addresses: readonly string[]) =>
  Object.fromEntries(addresses.map(address => [address, { reply }]))
const refusedForAll = '550 The mail was refused'
const refusedForSome = '550 The mail was not delivered to anyone, because it is refused for some recipients'

/** Clients of rspamd can neither forget a mail nor change its recipients. */
const rspamd = rspamdClient()
verdictSuite({
  ...{ name: 'POST /checkv2', isExact: false, addsToRefused: false },
  says: reply => inOneLine(reply).replace(/^(\d{3}) \d\.\d\.\d /, '$1 '),
  instead: {
    DROP: toAll(refusedForAll, bob, carol),
    'the fallback DROP': toAll(refusedForAll, bob),
    'DEFAULT, DROP and MOVE_TO_JUNK in one mail': toAll(refusedForSome, bob, carol, dora),
    "BOUNCE, DROP and MOVE_TO_JUNK in one mail with mixed: 'report'": toAll(refusedForSome, bob, carol, dora),
    "BOUNCE and DEFAULT for the null sender with mixed: 'report'": toAll(refusedForSome, bob, carol),
    'the fallback for a recipient that no action covers': toAll(refusedForSome, bob, carol),
    'recipients that the function adds': toAll(
      '451 The mail server does not let its filter change recipients',
      bob,
    ),
  },
  folders: async (_, address) => rspamd.folders(address),
  async offer({ urls }, mail) {
    const reply = await rspamd.offer(urls.hooks, mail)
    return mail.to.map(() => reply)
  },
})
