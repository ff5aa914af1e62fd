import { describe, expect, it } from '@jest/globals'
import { mailSetup } from './mail-setup.ts'
import type { OfferedTestMail } from './offer-mail.ts'
import { type Everyone, hooksSecret, type Said, type VerdictCase, verdictCases } from './verdict-cases.ts'

/** A way in which mail comes to functions that decide before the reply. */
export interface VerdictDoor {
  readonly name: string
  /** Whether each recipient has its own reply. */
  readonly isExact: boolean
  /** Whether recipients that a function adds get a mail that is refused for all others. */
  readonly addsToRefused: boolean
  /** Returns the reply that the protocol can say instead of one. Default: the same. */
  readonly says?: (reply: string) => string
  /** What a door says in the cases that its protocol cannot say, by their names. Nobody gets a report then. */
  readonly instead?: { readonly [name: string]: Everyone }
  /** Offers a mail. Returns the reply for each recipient. */
  readonly offer: (
    setup: Setup,
    mail: OfferedTestMail & { readonly to: readonly string[] },
  ) => Promise<readonly string[]>
  /** Returns the folders of a recipient that have the mail. */
  readonly folders: (setup: Setup, address: string) => Promise<readonly ('inbox' | 'junk')[]>
}

type Setup = Awaited<ReturnType<typeof mailSetup>>

/** The shared tests of decisions before the reply, which run through every door. */
export function verdictSuite(door: VerdictDoor): void {
  describe(`the verdict before the reply over ${door.name}`, () => {
    it.each(verdictCases)('$name', async each => {
      const { to, answer, rule, mail, exact, oneReply = exact, reports = 0, times = 1, added = {} } = each
      await using setup = await mailSetup(answer, {
        ...{ inbound: { ...rule, decide: 'before' }, relay: 'keep', lmtp: { port: 0 } },
        milter: { port: 0, junkSubaddress: 'junk' },
        hooks: { port: 0, secret: hooksSecret, junkSubaddress: 'junk' },
        ...mail,
      })
      let replies: readonly string[] = []
      for (let time = 0; time < times; time++) replies = await door.offer(setup, { ...mailOf(each), to })
      await setup.calm()
      const said: { [address: string]: Said } = {}
      for (const [at, address] of to.entries()) {
        const reply = replies[at]!.replace(/^250 .*/s, '250')
        const folders = await door.folders(setup, address)
        expect(folders.length).toBeLessThan(2)
        said[address] = { reply, ...(folders[0] !== undefined && { folder: folders[0] }) }
      }
      const instead = door.instead?.[each.name]
      expect(said).toEqual(instead ?? (door.isExact ? exact : inWordsOf(door, oneReply)))
      const isAdded = door.addsToRefused || replies.some(reply => reply.startsWith('250'))
      for (const [address, folder] of Object.entries(added))
        expect(await door.folders(setup, address)).toEqual(isAdded ? [folder] : [])
      expect(await setup.reports()).toHaveLength(door.isExact || instead !== undefined ? 0 : reports)
      expect(setup.events).toHaveLength(each.invocations ?? 1)
    })
  })
}

function inWordsOf({ says = reply => reply }: VerdictDoor, everyone: Everyone): Everyone {
  return Object.fromEntries(
    Object.entries(everyone).map(([address, said]) => [address, { ...said, reply: says(said.reply) }]),
  )
}

function mailOf({ from, utf8 }: VerdictCase): OfferedTestMail {
  return { ...(from !== undefined && { from }), ...(utf8 !== undefined && { utf8 }) }
}
